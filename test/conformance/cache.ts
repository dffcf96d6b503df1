import { fileURLToPath } from 'node:url';

/** Where results are kept; ignored by git. */
export const CACHE = fileURLToPath(new URL('../../.cache/conformance/', import.meta.url));
