// What a worker of the page does: it trains the lessons of one course, some steps at a time, tells
// the page what it saw, and listens in between. Nothing happens here in the page itself.
//
//     in:   begin { wasm, course, options: […] }    restore { wasm, text, course }
//           go    stop    save
//     out:  begun { count }    lesson { n, options, from, curve, seen, isOver }
//           rested { restored }    text { text }    problem { problem }    failed { message }

import { load } from '../../api/index.js';
import { COURSES } from '../../train/courses.js';
import { print, read } from '../../train/saved.js';
import { Race } from './race.js';

const ALL = { ...COURSES, race: { Lesson: Race } };

/** Steps between two looks at what was learned, where a lesson does not say it. */
const EVERY = 5;

let engine = null;
let course = null;
let lessons = [];
let told = [];
/** The loop that is going, if any: another that finds itself replaced ends. */
let going = null;

/** How often it was told to stop: that may come while it gets ready. */
let stops = 0;

const tell = (kind, more) => postMessage({ kind, ...more });

/** Lets the messages in that arrived meanwhile. */
const pause = () => new Promise((done) => setTimeout(done));

/** What is new of a lesson. A look is kept in the curve too, where it has a number. */
function show(lesson, n) {
    const { curve, options, isOver } = lesson;
    const seen = lesson.step ? lesson.look() : null;
    if (seen) Object.assign(curve.at(-1), seen.numbers);
    tell('lesson', { n, options, from: told[n], curve: curve.slice(told[n]), seen, isOver });
    told[n] = curve.length;
}

function take(name, next) {
    lessons.forEach((lesson) => lesson.dispose());
    course = name;
    lessons = next;
    told = lessons.map(() => 0);
    tell('begun', { count: lessons.length });
}

async function start(wasm) {
    going = null;
    engine ??= await load({ wasm, simd: 'simd128' });
}

const ACTS = {
    async begin({ wasm, course: name, options }) {
        const before = stops;
        await start(wasm);
        const { Lesson } = ALL[name];
        take(name, options.map((each) => new Lesson(engine, each, wasm)));
        if (stops === before) await ACTS.go();
        else tell('rested');
    },
    async restore({ wasm, course: name, text }) {
        await start(wasm);
        const { lessons: next, problem } = read(engine, text, [name]);
        if (problem) {
            tell('problem', { problem });
            return;
        }
        take(name, next);
        lessons.forEach(show);
        tell('rested', { restored: true });
    },
    async go() {
        if (going) return;
        const mine = {};
        going = mine;
        while (going === mine && lessons.some(({ isOver }) => !isOver)) {
            for (const [n, lesson] of lessons.entries()) {
                if (going !== mine || lesson.isOver) continue;
                const { every = EVERY } = lesson;
                do lesson.next();
                while (!lesson.isOver && lesson.step % every);
                show(lesson, n);
                await pause();
            }
        }
        if (going !== mine) return;
        going = null;
        tell('rested');
    },
    stop() {
        stops++;
        if (going) tell('rested');
        going = null;
    },
    save() {
        tell('text', { text: print(course, lessons) });
    },
};

/** Does what it is told, where this is a worker. */
export function attend() {
    const isWorker = typeof WorkerGlobalScope !== 'undefined';
    if (!isWorker || !(globalThis instanceof WorkerGlobalScope)) return;
    globalThis.onmessage = async ({ data: { act, ...more } }) => {
        try {
            await ACTS[act](more);
        } catch (error) {
            going = null;
            tell('failed', { message: error.message });
        }
    };
}
