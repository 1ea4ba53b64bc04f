from __future__ import annotations


def outer():
    counter = 0

    def inner():
        nonlocal counter
        counter += 1
        return [await_ for await_ in range(counter)]

    return inner


class Meta(type):
    def method(self):
        nonlocal __class__
        return lambda: (yield)


async def stream(items):
    async with items as source:
        async for item in source:
            yield [part async for part in item]
    generator = (await x for x in [])


def late():
    global assigned
    assigned = [walrus := 1, walrus]
    for _ in range(3):
        try:
            continue
        finally:
            pass
    else:
        return
