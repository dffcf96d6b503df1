import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is below a directory; both have to be real, that is without links. */
export function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '' && way.split(sep)[0] !== '..' && !isAbsolute(way);
}
