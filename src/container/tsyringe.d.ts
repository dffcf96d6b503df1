// tsyringe has no public way to ask whether a class has one of its decorators. This is where they write it (4.10).
declare module 'tsyringe/dist/cjs/dependency-container.js' {
  import type { DependencyContainer } from 'tsyringe';

  export const typeInfo: ReadonlyMap<unknown, readonly unknown[]>;
  /** The global container of the same copy. */
  export const instance: DependencyContainer;
}
