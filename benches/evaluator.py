"""The functions of benches/evaluator.csp in Python, for comparison. Usage: evaluator.py CALL"""
import sys

sys.setrecursionlimit(1_000_000)


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def queens(n):
    def safe(q, placed, d):
        for p in placed:
            if q == p or q == p + d or q == p - d:
                return False
            d += 1
        return True

    def place(k):
        if k == 0:
            return [[]]
        return [[q] + placed for placed in place(k - 1) for q in range(1, n + 1) if safe(q, placed, 1)]

    return len(place(n))


def numbers(n, seed):
    out = []
    for _ in range(n):
        out.append(seed % 100000)
        seed = seed * 48271 % 2147483647
    return out


def sort(s):
    if not s:
        return []
    p, rest = s[0], s[1:]
    return sort([x for x in rest if x < p]) + [p] + sort([x for x in rest if x >= p])


def quicksort(n):
    s = sort(numbers(n, 1))
    return (s[0], len(s))


def sieve(n):
    composite = {i * j for i in range(2, n // 2 + 1) for j in range(2, n // i + 1)}
    return len(set(range(2, n + 1)) - composite)


print(eval(sys.argv[1]))
