"""jax_gradients.py: gradients by JAX's autograd in float64, written to jax_gradients.json.

    pip install "jax[cpu]" && python3 tests/vectors/jax_gradients.py

The loss is sum(dOutput * output). Where jax.nn.dot_product_attention has every option of a case, it
is what is differentiated; softcap, ALiBi, dropout, another size of v and rows without any key are
written in jax.numpy here, from their definitions. Inputs come from the seed of a case, as in
jax_cases.py, in the order q, k, v, mask, bias, dOutput; answers are float32 in base64.

Modules add projections around it: their inputs come in the order query, key, value, weights (out,
in) and biases of q, k, v and o, dOutput.
"""
import base64
import json
import pathlib
import random

import jax
import jax.numpy as jnp
import numpy as np

from jax_cases import allowed, numbers_from, tensor

COUNT, MODULES = 130, 40
WIDE = (1 << 64) - 1


def mix64(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WIDE
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & WIDE
    return x ^ (x >> 31)


def is_kept(p, seed, b, h, i, j):
    row = mix64(mix64(mix64((seed + 0x9E3779B97F4A7C15) & WIDE) ^ (b << 32 | h)) ^ i)
    x = (row >> 32) ^ ((j * 0x9E3779B9) & 0xFFFFFFFF)
    x = ((x ^ (x >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    x = ((x ^ (x >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    return (x ^ (x >> 16)) >> 8 >= int(np.float32(p) * 2**24 + 0.5)


def keep_bits(case):
    """What dropout multiplies the weights by, (B, Hq, Tq, Tk)."""
    full = [case[name] for name in ("B", "Hq", "Tq", "Tk")]
    if "dropout" not in case:
        return np.ones(full)
    p, seed = case["dropout"]["p"], case["dropout"]["seed"]
    kept = np.reshape([is_kept(p, seed, *index) for index in np.ndindex(*full)], full)
    return kept / (1 - np.float64(np.float32(p)))


def choose(rng):
    b, hk, group = rng.randint(1, 2), rng.randint(1, 2), rng.choice([1, 1, 2, 3])
    tq, tk = rng.choice([1, 2, 3, 5, 6]), rng.choice([1, 2, 4, 7, 9])
    if rng.random() < 0.3:
        tk = tq
    d = rng.choice([1, 2, 3, 4])
    case = {"seed": rng.randrange(2**32), "B": b, "Hq": hk * group, "Hk": hk, "Tq": tq, "Tk": tk,
            "D": d, "Dv": d if rng.random() < 0.6 else rng.choice([1, 2, 3, 5])}
    full = [b, hk * group, tq, tk]
    broadcast = lambda: [n if rng.random() < 0.6 else 1 for n in full]
    if rng.random() < 0.4:
        case["mask"] = broadcast()
    if rng.random() < 0.5:
        case["bias"] = broadcast()
    if rng.random() < 0.4:
        case["causal"] = True
    if rng.random() < 0.3:
        case["window"] = [rng.randint(0, 4), rng.randint(0, 4)]
    if rng.random() < 0.3:
        case["keyLengths"] = [rng.randint(0, tk) for _ in range(b)]
    if rng.random() < 0.3:
        case["queryLengths"] = [rng.randint(0, tq) for _ in range(b)]
    if rng.random() < 0.5:
        case["scale"] = rng.choice([0.5, 0.125, 1, 3, -0.25])
    if rng.random() < 0.3:
        case["softcap"] = rng.choice([0.5, 1.5, 8])
    if rng.random() < 0.3:
        case["alibi"] = [rng.choice([0.5, 0.25, 0.125, 1]) for _ in range(hk * group)]
    if rng.random() < 0.3:
        case["dropout"] = {"p": rng.choice([0.25, 0.5]), "seed": rng.randrange(2**32)}
    return case


def visible(case, mask):
    """Which keys each row may see; padded queries see none."""
    seen = allowed({**case, "queryLengths": [case["Tq"]] * case["B"]}, mask)
    if "queryLengths" in case:
        rows = np.arange(case["Tq"]) < np.array(case["queryLengths"])[:, None]
        seen &= rows[:, None, :, None]
    return seen


def attend(case, q, k, v, bias, seen):
    """The definition, in jax.numpy."""
    group = case["Hq"] // case["Hk"]
    k, v = jnp.repeat(k, group, axis=1), jnp.repeat(v, group, axis=1)
    scale = case.get("scale", 1 / np.sqrt(case["D"]))
    scores = scale * jnp.einsum("bhid,bhjd->bhij", q, k)
    if "softcap" in case:
        scores = case["softcap"] * jnp.tanh(scores / case["softcap"])
    if bias is not None:
        scores = scores + bias
    if "alibi" in case:
        distance = np.abs(np.arange(case["Tq"])[:, None] - np.arange(case["Tk"])[None, :])
        scores = scores - np.array(case["alibi"])[:, None, None] * distance
    some = seen.any(axis=-1, keepdims=True)
    scores = jnp.where(some, jnp.where(seen, scores, -jnp.inf), 0.0)
    weights = jnp.where(some, jax.nn.softmax(scores, axis=-1), 0.0) * keep_bits(case)
    return jnp.einsum("bhij,bhjd->bhid", weights, v)


def attend_by_jax(case, q, k, v, bias, mask):
    names = {"key_value_seq_lengths": "keyLengths", "query_seq_lengths": "queryLengths"}
    options = {name: np.array(case[key], np.int32) for name, key in names.items() if key in case}
    q, k, v = (jnp.swapaxes(x, 1, 2) for x in (q, k, v))
    out = jax.nn.dot_product_attention(
        q, k, v, bias=bias, mask=mask, scale=case.get("scale"),
        is_causal=case.get("causal", False),
        local_window_size=tuple(case["window"]) if "window" in case else None,
        implementation="xla", **options)
    return jnp.swapaxes(out, 1, 2)


def answer(case):
    numbers = numbers_from(case["seed"])
    b, hq, hk, tq, tk, d, dv = (case[n] for n in ("B", "Hq", "Hk", "Tq", "Tk", "D", "Dv"))
    draw = lambda *shape: tensor(numbers, shape).astype(np.float64)
    q, k, v = draw(b, hq, tq, d), draw(b, hk, tk, d), draw(b, hk, tk, dv)
    mask = draw(*case["mask"]) > -0.5 if "mask" in case else None
    bias = draw(*case["bias"]) if "bias" in case else None
    d_out, seen = draw(b, hq, tq, dv), visible(case, mask)
    padding = np.arange(tq) >= np.array(case.get("queryLengths", [tq] * b))[:, None]
    is_shared = d == dv and (seen.any(axis=-1) | padding[:, None]).all()
    if is_shared and not any(name in case for name in ("softcap", "alibi", "dropout")):
        case["by"] = "jax.nn"
        run = lambda *x: attend_by_jax(case, *x, mask)
    else:
        run = lambda *x: attend(case, *x, seen)
    loss = lambda *x: jnp.sum(d_out * run(*x))
    wanted = (0, 1, 2) if bias is None else (0, 1, 2, 3)
    slopes = jax.jit(jax.grad(loss, argnums=wanted))(q, k, v, bias)
    return dict(zip(("dq", "dk", "dv", "dBias"), slopes))


def choose_module(rng):
    hk, group, d = rng.randint(1, 2), rng.choice([1, 2]), 2 * rng.randint(1, 2)
    tq, tk = rng.randint(1, 5), rng.randint(1, 6)
    case = {"seed": rng.randrange(2**32), "B": rng.randint(1, 2), "Hq": hk * group, "Hk": hk,
            "Tq": tq, "Tk": tk, "D": d, "Dv": rng.randint(1, 4),
            "widths": [rng.randint(1, 5) for _ in range(4)], "bias": rng.random() < 0.6}
    if rng.random() < 0.5:
        case["rope"] = {"base": rng.choice([100, 10000]), "interleaved": rng.random() < 0.5}
    if rng.random() < 0.5:
        case["causal"] = True
    if rng.random() < 0.3:
        case["softcap"] = 1.5
    if rng.random() < 0.4:
        case["dropout"] = {"p": rng.choice([0.25, 0.5]), "seed": rng.randrange(2**32)}
    return case


def rotate(x, rope):
    """x (B, H, T, D) turned by its positions, from 0."""
    half = x.shape[-1] // 2
    angle = np.arange(x.shape[2])[:, None] * float(rope["base"]) ** (-np.arange(half) / half)
    if rope["interleaved"]:
        first, second = x[..., 0::2], x[..., 1::2]
    else:
        first, second = x[..., :half], x[..., half:]
    turned = (first * np.cos(angle) - second * np.sin(angle),
              first * np.sin(angle) + second * np.cos(angle))
    return (jnp.stack(turned, axis=-1).reshape(x.shape) if rope["interleaved"]
            else jnp.concatenate(turned, axis=-1))


def answer_module(case):
    numbers = numbers_from(case["seed"])
    b, hq, hk, tq, tk, d, dv = (case[n] for n in ("B", "Hq", "Hk", "Tq", "Tk", "D", "Dv"))
    draw = lambda *shape: tensor(numbers, shape).astype(np.float64)
    wx, wy, wz, wo = case["widths"]
    inputs = [draw(b, tq, wx), draw(b, tk, wy), draw(b, tk, wz)]
    sizes = {"q": (hq * d, wx), "k": (hk * d, wy), "v": (hk * dv, wz), "o": (wo, hq * dv)}
    weights = {}
    for letter, shape in sizes.items():
        weights[f"{letter}_proj.weight"] = draw(*shape)
        if case["bias"]:
            weights[f"{letter}_proj.bias"] = draw(shape[0])
    d_out = draw(b, tq, wo)

    def project(letter, x, w):
        y = x @ w[f"{letter}_proj.weight"].T
        return y + w[f"{letter}_proj.bias"] if case["bias"] else y

    def loss(w, query, key, value):
        split = lambda y, t, h: jnp.swapaxes(y.reshape(b, t, h, -1), 1, 2)
        q = split(project("q", query, w), tq, hq)
        k, v = split(project("k", key, w), tk, hk), split(project("v", value, w), tk, hk)
        if "rope" in case:
            q, k = rotate(q, case["rope"]), rotate(k, case["rope"])
        heads = attend(case, q, k, v, None, visible(case, None))
        concat = jnp.swapaxes(heads, 1, 2).reshape(b, tq, -1)
        return jnp.sum(d_out * project("o", concat, w))

    grads, *slopes = jax.jit(jax.grad(loss, argnums=(0, 1, 2, 3)))(weights, *inputs)
    return {**dict(zip(("dQuery", "dKey", "dValue"), slopes)), **grads}


def packed(answers):
    for x in answers.values():
        assert x.dtype == np.float64 and np.isfinite(x).all()
    return {name: base64.b64encode(np.asarray(x).astype("<f4").tobytes()).decode()
            for name, x in answers.items()}


def main():
    rng = random.Random(20240608)
    calls = [choose(rng) for _ in range(COUNT)]
    modules = [choose_module(rng) for _ in range(MODULES)]
    for case in calls:
        case["slopes"] = packed(answer(case))
    for case in modules:
        case["slopes"] = packed(answer_module(case))
    lines = lambda cases: ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    text = (f'{{"by":"jax {jax.__version__}, float64","calls":[\n{lines(calls)}\n],"modules":[\n'
            f'{lines(modules)}\n]}}\n')
    pathlib.Path(__file__).with_suffix(".json").write_text(text)
    by_jax = sum(case.get("by") == "jax.nn" for case in calls)
    print(f"{COUNT} calls, {by_jax} of them by jax.nn, {MODULES} modules, {len(text)} bytes")


if __name__ == "__main__":
    main()
