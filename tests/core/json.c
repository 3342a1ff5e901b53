/* json.c - recursive descent over the text of a file; see json.h. */
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"

static char *at; /* the next character */

static void stop(const char *what) {
    printf("not JSON: %s at \"%.20s\"\n", what, at);
    abort();
}

static void skip_space(void) { at += strspn(at, " \t\r\n"); }

static int take(char c) {
    skip_space();
    if (*at != c) return 0;
    at++;
    return 1;
}

/* A string, ended in place; the data need no escapes. */
static const char *read_string(void) {
    if (!take('"')) stop("a string was expected");
    const char *text = at;
    at += strcspn(at, "\"\\");
    if (*at != '"') stop("a string with an escape, or without an end");
    *at++ = 0;
    return text;
}

static json *read_value(void);

static json *read_members(json *parent, char end) {
    json **tail = &parent->first;
    if (take(end)) return parent;
    do {
        const char *name = NULL;
        if (parent->kind == JSON_OBJECT) {
            name = read_string();
            if (!take(':')) stop("a colon was expected");
        }
        *tail = read_value();
        (*tail)->name = name;
        tail = &(*tail)->next;
        parent->count++;
    } while (take(','));
    if (!take(end)) stop("an end was expected");
    return parent;
}

static int take_word(const char *word) {
    if (strncmp(at, word, strlen(word)) != 0) return 0;
    at += strlen(word);
    return 1;
}

static json *read_value(void) {
    json *v = calloc(1, sizeof *v);
    if (!v) abort();
    skip_space();
    if (*at == '"') {
        v->kind = JSON_STRING;
        v->text = read_string();
    } else if (take('[')) {
        v->kind = JSON_ARRAY;
        read_members(v, ']');
    } else if (take('{')) {
        v->kind = JSON_OBJECT;
        read_members(v, '}');
    } else if (take_word("true")) {
        v->kind = JSON_BOOLEAN, v->number = 1;
    } else if (take_word("false")) {
        v->kind = JSON_BOOLEAN;
    } else if (!take_word("null")) {
        char *end = at;
        v->kind = JSON_NUMBER;
        v->number = strtod(at, &end);
        if (end == at) stop("a value was expected");
        at = end;
    }
    return v;
}

json *json_read(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    size_t bytes = 0, room = 1 << 16;
    char *text = NULL;
    do {
        room *= 2;
        text = realloc(text, room + 1);
        if (!text) abort();
        bytes += fread(text + bytes, 1, room - bytes, file);
    } while (bytes == room);
    fclose(file);
    text[bytes] = 0;
    at = text;
    json *value = read_value();
    skip_space();
    if (*at) stop("something follows the value");
    /* The text stays for the names in it: an element of its own that json_free() finds. */
    json *holder = calloc(1, sizeof *holder);
    if (!holder) abort();
    holder->text = text;
    value->next = holder;
    return value;
}

static void free_tree(json *v) {
    while (v) {
        json *next = v->next;
        free_tree(v->first);
        free(v);
        v = next;
    }
}

void json_free(json *value) {
    if (!value) return;
    void *text;
    memcpy(&text, &value->next->text, sizeof text);
    free_tree(value);
    free(text);
}

const json *json_get(const json *object, const char *name) {
    const json *member = object ? object->first : NULL;
    while (member && (!member->name || strcmp(member->name, name) != 0)) member = member->next;
    return member;
}

double json_number(const json *value, double otherwise) {
    if (!value) return otherwise;
    if (value->kind != JSON_STRING) return value->number;
    if (strcmp(value->text, "NaN") == 0) return (double)NAN;
    return value->text[0] == '-' ? -(double)INFINITY : (double)INFINITY;
}

float *json_floats(const json *array) {
    if (!array || array->kind != JSON_ARRAY) return NULL;
    float *numbers = buffer_floats(array->count);
    size_t n = 0;
    for (const json *v = array->first; v; v = v->next) numbers[n++] = (float)json_number(v, 0);
    return numbers;
}
