#!/usr/bin/env python3
"""Reads a sidecar with nothing but Docs/Format.md for a guide, as read_trace.py reads a trace.

    read_sidecar.py FILE      prints what the file holds, a line each
"""

import struct
import sys

from read_trace import Event, Plain, layout, number, read_definitions, NOTHING, TEXT


def text(data, offset, size):
    return data[offset : offset + size].split(b"\0")[0].decode("utf-8", "replace")


def read_loss(data, offset, ring, out):
    state, count, first, last = struct.unpack_from("<QQQQ", data, offset)
    if state and count:
        out.loss(ring, 0, count, first, max(first, last))
    if state:
        out.fact(f"loss {ring} {count} {first} {last}")


def read_records(content, ring, drained, told, out):
    offset, sequence = 0, None
    while offset < len(content):
        eights, kind, payload, fars = content[offset : offset + 4]
        stream, ticks, low, back, subscription = struct.unpack_from("<IQIIQ", content, offset + 4)
        if sequence is None:
            # The first number with this lower half that is not much before the one that is due.
            least = drained + 1 - (1 << 21)
            sequence = least + ((low - least) & 0xFFFFFFFF)
            out.records(ring, told, sequence, ticks)
        word, kept, rest = 0, b"", offset + 32
        if layout(payload) == TEXT:
            word, length = struct.unpack_from("<II", content, rest)
            kept = content[rest + 8 : rest + 8 + length]
        elif layout(payload) != NOTHING:
            word = number(content, rest, 8)
        end = offset + 8 * eights
        causes = [number(content, end - 8 * (fars - index), 8) for index in range(fars)]
        causes = [(cause >> 40, cause & 0xFFFFFFFFFF) for cause in causes]
        out.event(
            Event(
                ring, sequence, ticks, kind, stream, subscription, back, payload, word, kept,
                causes))
        offset, sequence = end, sequence + 1


def read_region(region, out):
    capacity, head, tail = (number(region, offset, 8) for offset in (40, 128, 256))
    data = region[16384 : 16384 + capacity]
    start, length = tail % capacity, head - tail
    content = (data[start:] + data[:start])[:length]
    if number(region, 32, 4) == 2:
        read_definitions(content, out)
        return
    ring, drained, until = number(region, 56, 4), number(region, 264, 8), number(region, 272, 8)
    if number(region, 32, 4) != 1 or number(region, 136, 8) == 0 and not content:
        return
    out.fact(f"ring {ring}", number(region, 48, 8), text(region, 64, 64))
    out.owner(ring, number(region, 48, 8), text(region, 64, 64))
    if until > drained:
        count, first, last = (number(region, offset, 8) for offset in (280, 288, 296))
        if count:
            out.loss(ring, 1, count, first, max(first, last))
        out.fact(f"loss {ring} {count} {first} {last}")
    for index in range(32):
        read_loss(region, 384 + 32 * index, ring, out)
    read_records(content, ring, drained, max(drained, until), out)


def read_sidecar(data, out):
    if data[:8] != b"varvlive" or number(data, 8, 4) != 1:
        raise ValueError("not a sidecar of version 1")
    out.fact(f"sidecar of {data[24:32][::-1].hex()}{data[16:24][::-1].hex()}")
    if data[128] == 2:
        signal, ring, thread, counter, address = struct.unpack_from("<iIQQQ", data, 136)
        out.fact(f"crashed {signal} {ring} {counter}")
        frames = min(number(data, 512, 4), 64)
        callers = [f"{number(data, 520 + 8 * index, 8):x}" for index in range(frames)]
        out.fact("struck", " ".join([f"{counter:x}"] + callers))
    read_loss(data, 256, 0, out)
    ringless = [number(data, 76, 4) + 64 * index for index in range(min(number(data, 72, 4), 4096))]
    for place in ringless:
        read_loss(data, place, number(data, place + 40, 4), out)
    offset = number(data, 12, 4)
    while offset < number(data, 64, 8):
        if data[offset : offset + 8] != b"varvregn":
            raise ValueError(f"no region begins at {offset}")
        length = number(data, offset + 24, 8)
        read_region(data[offset : offset + length], out)
        offset += length
    # Behind the rings: the word of a thread's ring counts before that of its place among those without.
    for place in ringless:
        if number(data, place, 8):
            out.owner(number(data, place + 40, 4), number(data, place + 32, 8),
                      text(data, place + 48, 16))


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        read_sidecar(file.read(), Plain())
