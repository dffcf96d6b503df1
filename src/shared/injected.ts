// Under the global registry, so that two copies of the package agree
const INJECTED = Symbol.for('toolwright:injected');
const shared = globalThis as unknown as Record<symbol, WeakSet<object> | undefined>;

/** Everything that containers created: controllers, services, connections. Weak, so that nothing is kept alive. */
const injected = (shared[INJECTED] ??= new WeakSet());

/** Remembers that a container made it for its application; what says no more than plain data does is forgotten. */
export function markInjected(made: unknown): void {
  if (typeof made === 'object' && made !== null && !isPlainContainer(made)) injected.add(made);
}

/** Whether a container created it: then it is a part of the application, not data to send. */
export function isInjected(value: object): boolean {
  return injected.has(value);
}

/** A factory may give settings, a list or a map, which are data wherever they come from. */
function isPlainContainer(made: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(made);
  return (
    prototype === null ||
    prototype === Object.prototype ||
    [Array, Map, Set, Date].some((type) => made instanceof type)
  );
}
