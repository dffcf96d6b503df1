import { isThenable } from '../shared/is-thenable.ts';

/** A value that may take time. */
export type Eventual<Value> = Value | Promise<Value>;

/** What user code gave, which may be the promise of any library or realm. */
export function eventual(value: unknown): unknown {
  return isThenable(value) && !(value instanceof Promise) ? Promise.resolve(value) : value;
}

/** Goes on with a value, at once where it is there: a wait costs more than most of what calls go through. */
export function andThen<Value, Result>(
  value: Eventual<Value>,
  next: (value: Value) => Eventual<Result>,
): Eventual<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** As `try` and `catch`, also for what fails later. */
export function orElse<Value>(
  run: () => Eventual<Value>,
  failed: (thrown: unknown) => Eventual<Value>,
): Eventual<Value> {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (thrown) {
    return failed(thrown);
  }
}
