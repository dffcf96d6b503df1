import type { Section, SectionName } from '../results/section.ts';
import { cluster } from './cluster.ts';
import { command } from './command.ts';
import { findActions } from './find-actions.ts';
import { firstAnswer } from './first-answer.ts';
import { httpAuthenticated } from './http-authenticated.ts';
import { httpModern } from './http-modern.ts';
import { httpSession } from './http-session.ts';
import { httpStateless } from './http-stateless.ts';
import { inMemoryCall } from './in-memory-call.ts';
import { memory } from './memory.ts';
import { startUp } from './start-up.ts';
import { observed } from './observed.ts';
import { stdio } from './stdio.ts';
import { surfaces } from './surfaces.ts';
import { toolsList } from './tools-list.ts';
import { validation } from './validation.ts';

export const SECTIONS: Readonly<Record<SectionName, Section>> = {
  http: httpStateless,
  modern: httpModern,
  session: httpSession,
  authenticated: httpAuthenticated,
  stdio,
  call: inMemoryCall,
  list: toolsList,
  find: findActions,
  surfaces,
  validation,
  memory,
  'start-up': startUp,
  'first-answer': firstAnswer,
  command,
  cluster,
  observed,
};
