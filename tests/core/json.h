/*
 * json.h - a reader of JSON for test data that is kept outside the project.
 *
 * Values live until json_free(); what is not there reads as NULL, and every reader takes NULL. NaN and
 * infinities stand in the files as strings.
 */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>

typedef enum json_kind {
    JSON_NULL,
    JSON_BOOLEAN,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

typedef struct json {
    json_kind kind;
    double number;      /* also 0 or 1 of a boolean */
    const char *text;   /* of a string */
    const char *name;   /* within an object */
    struct json *first; /* of an array or object */
    struct json *next;
    size_t count;
} json;

/* The file's value; NULL where there is no such file. A file that is not JSON ends the program. */
json *json_read(const char *path);
void json_free(json *value);

const json *json_get(const json *object, const char *name);
double json_number(const json *value, double otherwise);

/* The numbers of an array in a guarded buffer (buffers.h); NULL where there is no array. */
float *json_floats(const json *array);

#endif
