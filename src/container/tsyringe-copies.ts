import { container as globalContainer, type DependencyContainer } from 'tsyringe';
import type { OtherCopy } from '../scanner/providers/user-container.ts';
import { loadedCopies, type LoadedCopy } from '../shared/loaded-copies.ts';

/** What a copy of tsyringe keeps in the file of its container. */
interface ContainerFile {
  readonly instance: DependencyContainer;
  readonly typeInfo: ReadonlyMap<unknown, unknown>;
}

const CONTAINER_FILE = /^(.*[\\/]tsyringe)[\\/]dist[\\/]cjs[\\/]dependency-container\.js$/;

let copiesOfThisTurn: readonly LoadedCopy<ContainerFile>[] | undefined;

/** Kept for one scan, during which no package is loaded. */
function copies(): readonly LoadedCopy<ContainerFile>[] {
  if (copiesOfThisTurn === undefined) queueMicrotask(() => (copiesOfThisTurn = undefined));
  return (copiesOfThisTurn ??= loadedCopies(CONTAINER_FILE));
}

/** The copy of tsyringe that knows a token and is not the one that Toolwright asks. */
export function findOtherCopy(token: unknown): OtherCopy | undefined {
  return named(
    ({ instance, typeInfo }) =>
      instance?.isRegistered(token as symbol) === true || typeInfo?.has(token) === true,
    ({ instance }) => instance?.isRegistered(token as symbol) === true,
  );
}

/** The copy of tsyringe that made a container, where it is not the one that Toolwright asks. */
export function findCopyOf(container: DependencyContainer): OtherCopy | undefined {
  return named(({ instance }) => instance?.constructor === container.constructor);
}

function named(
  isMeant: (file: Partial<ContainerFile>) => boolean,
  isRegistered: (file: Partial<ContainerFile>) => boolean = () => false,
): OtherCopy | undefined {
  const own = copies().find(({ exports }) => exports.instance === globalContainer);
  const other = copies().find((copy) => copy !== own && isMeant(copy.exports));
  if (other === undefined) return undefined;
  return {
    own: own?.directory ?? 'toolwright',
    other: other.directory,
    isRegistered: isRegistered(other.exports),
  };
}
