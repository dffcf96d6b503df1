import type { AttackProgram } from './attack.ts';
import { amplify } from './programs/amplify.ts';
import { attach } from './programs/attach.ts';
import { clients } from './programs/clients.ts';
import { faults } from './programs/faults.ts';
import { growth } from './programs/growth.ts';
import { heap } from './programs/heap.ts';
import { jwks } from './programs/jwks.ts';
import { loop } from './programs/loop.ts';
import { repeats } from './programs/repeats.ts';
import { restarts } from './programs/restarts.ts';
import { serving } from './programs/serving.ts';
import { signIns } from './programs/sign-ins.ts';
import { spawned } from './programs/spawned.ts';
import { stdio } from './programs/stdio.ts';
import { stores } from './programs/stores.ts';
import { streams } from './programs/streams.ts';
import { suites } from './programs/suites.ts';
import { sweep } from './programs/sweep.ts';
import { tasks } from './programs/tasks.ts';
import { validation } from './programs/validation.ts';
import { wire } from './programs/wire.ts';

/** Every program of `npm run soak`. */
export const PROGRAMS: readonly AttackProgram[] = [
  validation,
  loop,
  amplify,
  sweep,
  serving,
  wire,
  stdio,
  streams,
  attach,
  heap,
  repeats,
  restarts,
  faults,
  stores,
  jwks,
  spawned,
  tasks,
  growth,
  signIns,
  clients,
  suites,
];
