"""jax_cases.py: random attention calls answered by JAX in float64, written to jax_cases.json.

    pip install "jax[cpu]" && python3 tests/vectors/jax_cases.py

jax.nn.dot_product_attention shares with this project: grouped heads, mask, bias, causal and window
from the top left corner, key and query lengths, scale. A row without any key is not shared (there
JAX gives the mean of all V), so no case has one. Inputs are not stored: they come from the seed of
a case, by the generator below, in the order q, k, v, mask, bias; answers are float32 in base64.
"""
import base64
import json
import pathlib
import random

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)

COUNT = 240
WORD = 0xFFFFFFFF


def numbers_from(seed):
    """Numbers in [-1, 1), float32: mulberry32."""
    state = seed & WORD
    while True:
        state = (state + 0x6D2B79F5) & WORD
        t = ((state ^ (state >> 15)) * (state | 1)) & WORD
        t ^= (t + (((t ^ (t >> 7)) * (t | 61)) & WORD)) & WORD
        yield np.float32(((t ^ (t >> 14)) & WORD) / 2.0**31 - 1)


def tensor(numbers, shape):
    count = int(np.prod(shape))
    return np.array([next(numbers) for _ in range(count)], np.float32).reshape(shape)


def choose(rng):
    """The sizes and options of a call. Masks and biases broadcast along some axes."""
    b, hk, group = rng.randint(1, 3), rng.randint(1, 3), rng.choice([1, 1, 2, 3])
    tq, tk = rng.choice([1, 2, 3, 5, 8, 13, 17]), rng.choice([1, 2, 4, 7, 16, 33, 50])
    if rng.random() < 0.3:
        tk = tq
    case = {"seed": rng.randrange(2**32), "B": b, "Hq": hk * group, "Hk": hk, "Tq": tq, "Tk": tk,
            "D": rng.choice([1, 2, 3, 4, 7, 8, 12])}
    full = [b, hk * group, tq, tk]
    broadcast = lambda: [n if rng.random() < 0.6 else 1 for n in full]
    if rng.random() < 0.4:
        case["mask"] = broadcast()
    if rng.random() < 0.4:
        case["bias"] = broadcast()
    if rng.random() < 0.4:
        case["causal"] = True
    if rng.random() < 0.3:
        case["window"] = [rng.randint(0, 9), rng.randint(0, 9)]
    if rng.random() < 0.3:
        case["keyLengths"] = [rng.randint(1, tk) for _ in range(b)]
    if rng.random() < 0.3:
        case["queryLengths"] = [rng.randint(1, tq) for _ in range(b)]
    if rng.random() < 0.5:
        case["scale"] = rng.choice([0.5, 0.125, 1, 3, -0.25])
    return case


def allowed(case, mask):
    """Which keys each row may see, (B, Hq, Tq, Tk)."""
    full = (case["B"], case["Hq"], case["Tq"], case["Tk"])
    i, j = np.arange(case["Tq"])[:, None], np.arange(case["Tk"])[None, :]
    seen = np.ones(full, bool) if mask is None else np.broadcast_to(mask, full).copy()
    if case.get("causal"):
        seen &= j <= i
    if "window" in case:
        left, right = case["window"]
        seen &= (j >= i - left) & (j <= i + right)
    if "keyLengths" in case:
        seen &= (j < np.array(case["keyLengths"])[:, None, None])[:, None]
    if "queryLengths" in case:
        padding = i >= np.array(case["queryLengths"])[:, None, None]
        seen |= padding[:, None]
    return seen


def answer(case):
    """The output of JAX, (B, Hq, Tq, D), or None for a case with an empty row."""
    numbers = numbers_from(case["seed"])
    b, hq, hk, tq, tk, d = (case[name] for name in ("B", "Hq", "Hk", "Tq", "Tk", "D"))
    q, k, v = (tensor(numbers, shape) for shape in ((b, hq, tq, d), (b, hk, tk, d), (b, hk, tk, d)))
    mask = tensor(numbers, case["mask"]) > -0.5 if "mask" in case else None
    bias = tensor(numbers, case["bias"]) if "bias" in case else None
    if not allowed(case, mask).any(axis=-1).all():
        return None
    turned = [np.swapaxes(x, 1, 2).astype(np.float64) for x in (q, k, v)]
    names = {"key_value_seq_lengths": "keyLengths", "query_seq_lengths": "queryLengths"}
    options = {name: np.array(case[key], np.int32) for name, key in names.items() if key in case}
    out = jax.nn.dot_product_attention(
        *turned, bias=None if bias is None else bias.astype(np.float64), mask=mask,
        scale=case.get("scale"), is_causal=case.get("causal", False),
        local_window_size=tuple(case["window"]) if "window" in case else None,
        implementation="xla", **options)
    return np.swapaxes(np.asarray(out), 1, 2)


def main():
    rng, cases = random.Random(20240607), []
    while len(cases) < COUNT:
        case = choose(rng)
        out = answer(case)
        if out is None:
            continue
        assert out.dtype == np.float64 and np.isfinite(out).all()
        case["output"] = base64.b64encode(out.astype("<f4").tobytes()).decode()
        cases.append(case)
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    text = f'{{"by":"jax {jax.__version__}, float64","cases":[\n{lines}\n]}}\n'
    pathlib.Path(__file__).with_suffix(".json").write_text(text)
    print(f"{len(cases)} cases, {len(text)} bytes")


if __name__ == "__main__":
    main()
