// saved.js: lessons as the text of a file, and back.
//
// The text is JSON. Every float32 has nine digits, which is exact; shapes and words are there for
// other programs. What comes from a file is judged
// before any of it is used: a problem is data, { kind, … }, and whoever shows it has the sentence.

import { COURSES } from './courses.js';

/** @import { Engine } from '../api/engine.js' */
/** @import { Lesson } from './lesson.js' */

const FORMAT = 'attn training', VERSION = 1, MOST_LESSONS = 32;

class Refusal extends Error {
    constructor(kind, detail) {
        super(kind);
        this.problem = { kind, ...detail };
    }
}

/** @returns {never} */
const refuse = (kind, detail) => { throw new Refusal(kind, detail); };

const exact = (list) => Array.from(list, (x) => Number(x.toPrecision(9)));

/**
 * @param {string} course
 * @param {readonly Lesson[]} lessons
 */
export function print(course, lessons) {
    const all = lessons.map((lesson) => {
        const { parameters, moments, ...rest } = lesson.save(), { shapes, words } = lesson.model;
        const each = (of) => Object.fromEntries(
            Object.keys(parameters).map((name) => [name, of(name)]));
        return {
            ...rest,
            words,
            shapes,
            parameters: each((name) => exact(parameters[name])),
            moments: each((name) => moments[name].map(exact)),
        };
    });
    return JSON.stringify({ format: FORMAT, version: VERSION, course, lessons: all });
}

const isRecord = (x) => typeof x === 'object' && x !== null && !Array.isArray(x);

function record(value, field) {
    if (!isRecord(value)) refuse('part', { field });
    return value;
}

function whole(value, field, { from, to }) {
    if (!Number.isInteger(value) || value < from || value > to) {
        refuse('whole', { field, from, to, got: String(value).slice(0, 24) });
    }
    return value;
}

function optionsOf(given, ranges) {
    record(given, 'options');
    return Object.fromEntries(Object.entries(ranges).map(([name, range]) => {
        const value = given[name];
        if (!Array.isArray(range)) return [name, whole(value, name, range)];
        if (!range.includes(value)) {
            refuse('choice', { field: name, of: range, got: String(value).slice(0, 24) });
        }
        return [name, value];
    }));
}

function numbers(value, field, count) {
    if (!Array.isArray(value)) refuse('part', { field });
    if (value.length !== count) refuse('count', { field, expected: count, got: value.length });
    const bad = value.findIndex((x) => typeof x !== 'number' || !Number.isFinite(Math.fround(x)));
    if (bad >= 0) refuse('number', { field, at: bad + 1 });
    return Float32Array.from(value);
}

/** Entries of a step: numbers under the names that the first step has. */
function curveOf(value, step) {
    if (!Array.isArray(value)) refuse('part', { field: 'curve' });
    if (value.length !== step) {
        refuse('count', { field: 'curve', expected: step, got: value.length });
    }
    return value.map((entry, n) => {
        const names = Object.keys(record(entry, 'curve'));
        const isGood = entry.step === n + 1 && names.length <= 8
            && names.every((name) => Number.isFinite(entry[name]));
        if (!isGood) refuse('number', { field: 'curve', at: n + 1 });
        return Object.fromEntries(names.map((name) => [name, entry[name]]));
    });
}

function restored(engine, { Lesson, options }, given) {
    record(given, 'lessons');
    const lesson = new Lesson(engine, optionsOf(given.options, options));
    try {
        const step = whole(given.step, 'step', { from: 0, to: lesson.options.steps });
        const lists = record(given.parameters, 'parameters');
        const averages = record(given.moments, 'moments');
        const parameters = {}, moments = {};
        const saved = lesson.save();
        for (const [name, { length }] of Object.entries(saved.parameters)) {
            parameters[name] = numbers(lists[name], name, length);
            const all = averages[name];
            if (!Array.isArray(all) || all.length !== saved.moments[name].length) {
                refuse('part', { field: `moments of ${name}` });
            }
            moments[name] = all.map((list) => numbers(list, `moments of ${name}`, length));
        }
        lesson.restore({
            options: saved.options, step, curve: curveOf(given.curve, step), parameters, moments,
        });
        return lesson;
    } catch (error) {
        lesson.dispose();
        throw error;
    }
}

function readFile(text, courses) {
    let file;
    try {
        file = JSON.parse(text);
    } catch {
        refuse('json', {});
    }
    if (!isRecord(file) || file.format !== FORMAT) refuse('format', {});
    if (file.version !== VERSION) {
        refuse('version', { expected: VERSION, got: String(file.version).slice(0, 24) });
    }
    if (!courses.includes(file.course)) {
        refuse('choice', {
            field: 'course', of: courses, got: String(file.course).slice(0, 24),
        });
    }
    if (!Array.isArray(file.lessons) || file.lessons.length < 1
        || file.lessons.length > MOST_LESSONS) refuse('part', { field: 'lessons' });
    return file;
}

/**
 * The lessons of a file, to go on with, or what is wrong with it.
 *
 * @param {Engine} engine
 * @param {string} text
 * @param {readonly string[]} [courses] that it may be of
 * @returns {{ course: string, lessons: Lesson[] } | { problem: { kind: string } }}
 */
export function read(engine, text, courses = Object.keys(COURSES)) {
    const lessons = [];
    try {
        const file = readFile(text, courses);
        for (const one of file.lessons) {
            lessons.push(restored(engine, COURSES[file.course], one));
        }
        return { course: file.course, lessons };
    } catch (error) {
        lessons.forEach((lesson) => lesson.dispose());
        if (error instanceof Refusal) return { problem: error.problem };
        throw error;
    }
}
