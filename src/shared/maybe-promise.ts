/** A value, or the promise of one. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** A value returned by user code, which may be a promise of any library or realm. */
export function toMaybePromise(value: unknown): unknown {
  return isThenable(value) && !(value instanceof Promise) ? Promise.resolve(value) : value;
}

/** Like `then`, but synchronous if the value is not a promise. Awaiting costs more than most steps of a call. */
export function thenMaybe<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Like `try` and `catch`, also for a promise that rejects. */
export function catchMaybe<Value>(
  run: () => MaybePromise<Value>,
  failed: (thrown: unknown) => MaybePromise<Value>,
): MaybePromise<Value> {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (thrown) {
    return failed(thrown);
  }
}

/** Whether `await` would wait for it. It reads `then`, as promises do, because a proxy may not list its members. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return typeof (value as Partial<PromiseLike<unknown>>).then === 'function';
}
