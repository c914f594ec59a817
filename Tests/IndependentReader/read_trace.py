#!/usr/bin/env python3
"""Reads a trace with nothing but Docs/Format.md for a guide: the test of whether that is enough.

    read_trace.py FILE      prints what the file holds, a line each

It reads files (read_sidecar.py reads sidecars), and walks from block to block without the index.
"""

import collections
import struct
import sys
import zlib

MAGIC = bytes.fromhex("8956415256450d0a")
BLOCK = bytes.fromhex("d656421a")
KIND_EVENTS, KIND_DEFINITIONS, KIND_LOSSES, KIND_ANCHORS, KIND_TRAILER = 2, 3, 4, 5, 7
WORD, TEXT, NOTHING = "word", "text", "nothing"
MASK = (1 << 64) - 1
TOP_BIT = 1 << 63


def number(data, offset, size):
    return int.from_bytes(data[offset : offset + size], "little")


class Cursor:
    def __init__(self, data, offset=0):
        self.data, self.offset = data, offset

    def take(self, size):
        if self.offset + size > len(self.data):
            raise ValueError("the bytes end early")
        self.offset += size
        return self.data[self.offset - size : self.offset]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value & MASK

    def text(self):
        return self.take(self.varint()).decode("utf-8", "replace")


def inflate(data, size):
    unpacker = zlib.decompressobj(-15)
    raw = unpacker.decompress(data, size + 1)
    if len(raw) != size or not unpacker.eof or unpacker.unused_data:
        raise ValueError("a deflated stream of another size")
    return raw


def unzigzag(value):
    return (value >> 1) ^ (MASK if value & 1 else 0)


# Planes and columns


def read_plane(cursor, may_be_encoded=True):
    """The plane as a function of its size: what it holds is known only with it."""
    head = cursor.varint()
    form, length = head & 3, head >> 2
    if form == 0:
        return lambda size: bytes([length]) * size
    content = cursor.take(length)
    if form == 1:
        return lambda size: content
    if form == 2:
        return lambda size: inflate(content, size)
    if not may_be_encoded:
        raise ValueError("an encoded plane in an encoded plane")
    return lambda size: decode_plane(content, size)


def decode_plane(content, size):
    cursor = Cursor(content)
    width = cursor.take(1)[0]
    other = (1 << width) - 1
    values = cursor.take(other)
    packed = read_plane(cursor, False)((size * width + 7) // 8)
    codes = [packed[i * width // 8] >> (i * width % 8) & other for i in range(size)]
    count = codes.count(other)
    others = iter(read_plane(cursor, False)(count) if count else b"")
    return bytes(next(others) if code == other else values[code] for code in codes)


def read_columns(cursor):
    columns = {}
    while cursor.offset < len(cursor.data):
        column, planes = cursor.take(2)
        columns[column] = [read_plane(cursor) for _ in range(planes)]
    return columns


def column(columns, which, size):
    values = [0] * size
    for index, plane in enumerate(columns.get(which, [])):
        content = plane(size)
        if len(content) != size:
            raise ValueError("a plane of another size")
        for entry, byte in enumerate(content):
            values[entry] |= byte << (8 * index)
    return values


def running(values):
    """Numbers that were each told from the one before."""
    total, out = 0, []
    for value in values:
        total = total + unzigzag(value) & MASK
        out.append(total)
    return out


# Events


def layout(payload):
    if payload in (0, 1, 2, 11):
        return NOTHING
    if payload in (7, 8, 9, 10):
        return TEXT
    return WORD if payload < 128 else TEXT


Event = collections.namedtuple(
    "Event",
    "ring sequence tick kind stream subscription back payload word text causes",
)


def read_events(header, payload, out):
    count, ring = number(header, 20, 4), number(header, 24, 4)
    first_sequence, first_tick = number(header, 28, 8), number(header, 44, 8)
    cursor = Cursor(payload)
    shape_count, text_count, heap_length, tick = (cursor.varint() for _ in range(4))
    columns = read_columns(cursor)

    def of_shapes(which):
        return column(columns, which, shape_count)

    streams = [stream & 0xFFFFFFFF for stream in running(of_shapes(2))]
    kinds, payloads, fars = of_shapes(3), of_shapes(4), of_shapes(5)
    subscriptions, backs = running(of_shapes(6)), of_shapes(7)
    forms, words = of_shapes(8), running(of_shapes(9))
    far_causes, last_text = {}, {}

    shapes = column(columns, 10, count)
    layouts = [layout(payloads[shape]) for shape in shapes]
    ticks = [first_tick + tick]
    for step in column(columns, 1, count - 1):
        ticks.append(ticks[-1] + step & MASK)
    subscription_steps, back_steps = column(columns, 11, count), column(columns, 12, count)
    word_entries = iter(column(columns, 13, layouts.count(WORD)))
    text_entries = iter(column(columns, 14, layouts.count(TEXT)))
    cuts = iter(column(columns, 15, layouts.count(TEXT)))
    lengths, prefixes = column(columns, 16, text_count), column(columns, 17, text_count)
    heap = Cursor(bytes(column(columns, 18, heap_length)))
    far_entries = iter(column(columns, 19, sum(fars[shape] for shape in shapes)))
    texts = []

    for index, shape in enumerate(shapes):
        subscriptions[shape] = subscriptions[shape] + unzigzag(subscription_steps[index]) & MASK
        backs[shape] = backs[shape] + unzigzag(back_steps[index]) & 0xFFFFFFFF
        word, text = 0, b""
        if layouts[index] == WORD:
            entry = next(word_entries)
            word = words[shape] + unzigzag(entry) & MASK if forms[shape] else entry
            words[shape] = word
        elif layouts[index] == TEXT:
            known = next(text_entries)
            if known == 0:
                length, prefix = lengths[len(texts)], prefixes[len(texts)]
                texts.append(last_text.get(shape, b"")[:prefix] + heap.take(length - prefix))
            text = texts[known - 1] if known else texts[-1]
            last_text[shape] = text
            word = len(text) + next(cuts) & 0xFFFFFFFF
        causes = []
        for place in range(fars[shape]):
            cause = far_causes.get((shape, place), 0) + unzigzag(next(far_entries)) & MASK
            far_causes[shape, place] = cause
            causes.append((cause >> 40, cause & 0xFFFFFFFFFF))
        event = Event(
            ring, first_sequence + index, ticks[index],
            kinds[shape], streams[shape], subscriptions[shape], backs[shape], payloads[shape],
            word, text, causes)
        out.event(event)


# Everything else


def read_definitions(payload, out):
    offset = 0
    while offset < len(payload):
        length = number(payload, offset, 4)
        if length == 0:
            return
        whole = payload[offset : offset + length]
        offset += length
        if zlib.crc32(whole[8:]) != number(whole, 4, 4):
            raise ValueError("a definition contradicts its checksum")
        kind, flags, absorbs, identifier = whole[8], whole[9], whole[10], number(whole, 12, 4)
        if kind == 1:
            cursor = Cursor(whole, 24)
            parents = [cursor.varint() for _ in range(cursor.varint())]
            name = cursor.text()
            derivation = cursor.text() if flags & 2 else name
            operation, value_type = cursor.text(), cursor.text()
            place = f"{cursor.text()}:{cursor.varint()}" if flags & 1 else "-"
            born = number(whole, 16, 8)
            fields = [parents, name, derivation, operation, value_type, place, born, absorbs]
            if flags & 4:
                fields.append(f"stack {cursor.varint()}")
            if flags & 8:
                fields.append(f"traits {cursor.varint():x}")
            out.stream(identifier, name, operation)
            out.fact(f"stream {identifier}", *fields)
        elif kind == 2:
            out.scheduler(identifier, Cursor(whole, 16).text())
            out.fact(f"scheduler {identifier}", Cursor(whole, 16).text())
        elif kind == 3:
            out.thread(identifier, number(whole, 16, 8), Cursor(whole, 24).text())
            out.fact(f"thread {identifier}", number(whole, 16, 8), Cursor(whole, 24).text())
        elif kind == 4:
            cursor = Cursor(whole, 16)
            count = cursor.varint()
            words = [number(whole, cursor.offset + 8 * index, 8) for index in range(count)]
            frames = [f"{word & ~TOP_BIT:x}{'!' if word & TOP_BIT else ''}" for word in words]
            out.fact(f"stack {identifier}", " ".join(frames))
        elif kind == 5:
            places = [f"{number(whole, offset, 8):x}" for offset in (16, 24, 32)]
            cursor = Cursor(whole, 40)
            build_id = cursor.take(cursor.varint()).hex()
            out.fact(f"module {identifier}", *places, build_id, cursor.text())
        elif kind == 6:
            cursor = Cursor(whole, 24)
            places = []
            for _ in range(cursor.varint()):
                places += [cursor.text(), cursor.text(), str(cursor.varint())]
            out.fact(f"symbol {number(whole, 16, 8):x}", *places)
        elif kind == 7:
            cursor = Cursor(whole, 16)
            for _ in range(3):
                cursor.varint()
            out.task_template(identifier, cursor.text())
        elif kind == 8:
            cursor = Cursor(whole, 24)
            pid, program, host = cursor.varint(), cursor.text(), cursor.text()
            out.fact(f"process {identifier}", number(whole, 16, 8), pid, program, host)


def read_block(header, kind, payload, out):
    if kind == KIND_EVENTS:
        read_events(header, payload, out)
    elif kind == KIND_DEFINITIONS:
        read_definitions(payload, out)
    elif kind == KIND_LOSSES:
        for ring, reason, count, first, last in struct.iter_unpack("<IIQQQ", payload):
            out.loss(ring, reason & 0xFF, count, first, last)
            out.fact(f"loss {ring} {count} {first} {last}")
    elif kind == KIND_ANCHORS:
        for ticks, monotonic in struct.iter_unpack("<QQ", payload):
            out.anchor(ticks, monotonic)
            out.fact(f"anchor {ticks} {monotonic}")
    elif kind == KIND_TRAILER:
        ending, known, signal = header[36], header[37], number(header, 40, 4)
        ring, counter = number(header, 44, 4), number(header, 48, 8)
        crash = [signal, ring if known & 1 else "-", counter if known & 2 else "-"]
        words = ["ended", ["", "clean", "crashed", "killed"][ending]]
        out.fact(" ".join(str(word) for word in words + (crash if ending == 2 else [])))


def read_trace(data, out):
    size = number(data, 12, 4)
    if data[:8] != MAGIC or number(data, 8, 2) != 1:
        raise ValueError("not a trace of version 1")
    if zlib.crc32(data[: size - 4]) != number(data, size - 4, 4):
        raise ValueError("the header contradicts its checksum")
    texts = Cursor(data, 72)
    program, host = texts.text(), texts.text()
    arguments = [texts.text() for _ in range(texts.varint())]
    fixed = [number(data, 32, 1)] + [number(data, 36, 4)]
    fixed += [number(data, offset, 8) for offset in (40, 48, 56, 64)]
    out.header(*fixed)
    identity = data[24:32][::-1].hex() + data[16:24][::-1].hex()
    out.fact(" ".join(str(word) for word in ["trace", identity, program, host, arguments, *fixed]))
    seed = zlib.crc32(data[16:32])
    offset = size
    while offset < len(data):
        header = data[offset : offset + number(data, offset + 6, 2)]
        kind, codec, raw, stored = header[4], header[5], number(header, 8, 4), number(header, 12, 4)
        payload = data[offset + len(header) : offset + len(header) + stored]
        start = 0 if kind == 1 else seed
        if header[:4] != BLOCK or zlib.crc32(header[:-4], start) != number(header, len(header) - 4, 4):
            raise ValueError(f"no block begins at {offset}")
        if zlib.crc32(payload, start) != number(header, 16, 4):
            raise ValueError(f"the block at {offset} contradicts its checksum")
        read_block(header, kind, inflate(payload, raw) if codec == 1 else payload, out)
        offset += len(header) + stored


class Plain:
    """Prints everything, a line each."""

    def fact(self, *fields):
        print(*fields, sep="|")

    def event(self, event):
        causes = " ".join(f"{ring}/{sequence}" for ring, sequence in event.causes)
        print(
            f"event {event.ring}/{event.sequence} {event.tick} {event.kind} "
            f"{event.stream} {event.subscription} {event.back} {event.payload} {event.word} "
            f"{event.text.hex()} {causes}".rstrip()
        )

    def header(self, clock, pid, rate, anchor_ticks, anchor_monotonic, started):
        pass

    def stream(self, identifier, name, operation):
        pass

    def scheduler(self, identifier, name):
        pass

    def task_template(self, identifier, name):
        pass

    def thread(self, ring, system_id, name):
        pass

    def owner(self, ring, system_id, name):
        pass

    def anchor(self, ticks, monotonic):
        pass

    def loss(self, ring, reason, count, first, last):
        pass

    def records(self, ring, told, sequence, tick):
        pass


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        read_trace(file.read(), Plain())
