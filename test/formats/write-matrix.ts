import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { matrixPage } from './matrix-page.ts';

await writeFile(fileURLToPath(new URL('../../docs/formats-matrix.md', import.meta.url)), matrixPage());
