"""A page as TypeDoc's Markdown plugin writes it."""

from __future__ import annotations

API_SOURCE = "Defined in: [packages/atlas/src/{name}.ts:7](https://github.com/acme/atlas/blob/main/{name}.ts#L7)\n\n"
API_CLASS = (
    "---\nid: Timer\ntitle: Timer\n---\n\n# Class: Timer\\<TFn\\>\n\n"
    + API_SOURCE.format(name="timer")
    + """Runs a function later.

## Extends

- [`Clock`](../interfaces/Clock.md)

## Type Parameters

### TFn

`TFn` *extends* [`AnyFunction`](../type-aliases/AnyFunction.md) = `Noop`

## Constructors

### Constructor

```ts
new Timer<TFn>(fn, options?): Timer<TFn>;
```

"""
    + API_SOURCE.format(name="timer")
    + """#### Parameters

##### fn

`TFn`

The function to run.

##### options?

[`TimerOptions`](../interfaces/TimerOptions.md)\\<`TFn`\\>

###### wait?

`number` = `0`

Milliseconds.

#### Returns

`Timer`\\<`TFn`\\>

## Properties

### store

```ts
readonly store: Store<TimerState>;
```

"""
    + API_SOURCE.format(name="timer")
    + """***

### label?

```ts
optional label: string;
```

***

### ~~now~~

```ts
now: number;
```

#### Deprecated

Use `store` instead.

#### Inherited from

[`Clock`](../interfaces/Clock.md).[`now`](../interfaces/Clock.md#now)

## Methods

### cancel()

```ts
cancel(): void;
```

Cancels the run.

#### Returns

`void`

#### Throws

If the timer is gone.
"""
)
