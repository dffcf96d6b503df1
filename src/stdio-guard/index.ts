/**
 * Imported before everything else, keeps stdout clean from the first line on: what modules, constructors and hooks
 * print goes to stderr. `app.stdio()` then takes the stream over; without it, it stays so until the process ends.
 *
 *     import 'toolwright/stdio-guard';
 */
import { guardStdout } from '../shared/guard-stdout.ts';

// One that serves already is a better guard than this.
guardStdout(process.stdout, process.stderr)?.retire();
