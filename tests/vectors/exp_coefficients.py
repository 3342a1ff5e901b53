"""The coefficients of v_exp in src/kernel/exp.h.

exp(r) = 1 + r + r^2 (c2 + c3 r + c4 r^2 + c5 r^3 + c6 r^4) for |r| <= ln(2)/2, so that exp(0) is exactly 1.
Minimises the largest relative error by the Remez exchange in 60-digit arithmetic, then rounds each
coefficient to float32. Prints the coefficients as hex floats and the error of the rounded polynomial.

    pip install mpmath && python3 exp_coefficients.py
"""
import struct
from mpmath import mp, mpf, exp, log, matrix, lu_solve, cos, pi

mp.dps = 60
HALF = log(2) / 2 * mpf('1.0005')
FIRST, LAST = 2, 6


def target(r):
    """(exp(r) - 1 - r) / r^2, by its series near zero."""
    if abs(r) < mpf('1e-12'):
        return mpf(1) / 2 + r / 6
    return (exp(r) - 1 - r) / r**2


def weight(r):
    """Turns an error of the inner polynomial into a relative error of exp."""
    return r**2 / exp(r)


def remez(rounds=30, grid=4001):
    n = LAST - FIRST + 1
    points = [HALF * cos(pi * (2 * i + 1) / (2 * (n + 1))) for i in range(n + 1)]
    xs = [HALF * (mpf(2 * i) / (grid - 1) - 1) for i in range(grid)]
    for _ in range(rounds):
        a = matrix(n + 1, n + 1)
        b = matrix(n + 1, 1)
        for row, x in enumerate(sorted(points)):
            for k in range(n):
                a[row, k] = x**k
            a[row, n] = (-1) ** row / weight(x)
            b[row] = target(x)
        c = lu_solve(a, b)
        errors = [(sum(c[k] * x**k for k in range(n)) - target(x)) * weight(x) for x in xs]
        peaks = [i for i in range(grid) if (i == 0 or abs(errors[i]) >= abs(errors[i - 1]))
                 and (i == grid - 1 or abs(errors[i]) >= abs(errors[i + 1]))]
        picked = []
        for i in peaks:
            if picked and errors[picked[-1]] * errors[i] > 0:
                if abs(errors[i]) > abs(errors[picked[-1]]):
                    picked[-1] = i
            else:
                picked.append(i)
        while len(picked) > n + 1:
            picked.pop(0 if abs(errors[picked[0]]) < abs(errors[picked[-1]]) else -1)
        if len(picked) < n + 1:
            break
        points = [xs[i] for i in picked]
    return [c[k] for k in range(n)], xs


def to_float32(x):
    return struct.unpack('f', struct.pack('f', float(x)))[0]


coefficients, xs = remez()
rounded = [mpf(to_float32(c)) for c in coefficients]
for power, c in enumerate(rounded, FIRST):
    print(f'c{power} = {float(c).hex()}')
worst = max(abs(1 + x + x**2 * sum(c * x**k for k, c in enumerate(rounded)) - exp(x)) / exp(x) for x in xs)
print('largest relative error:', mp.nstr(worst, 3))

ln2_high = mpf(struct.unpack('f', struct.pack('I', struct.unpack('I', struct.pack('f', float(log(2))))[0] & 0xFFFF0000))[0])
print('ln2 high:', float(ln2_high).hex(), 'low:', to_float32(log(2) - ln2_high).hex())
print('log2(e):', to_float32(1 / log(2)).hex())
