import { expect, test } from '@jest/globals';
import { Action, Inject, Injectable, Logger, ToolGroup, type Class } from 'toolwright';
import { STAGES } from '../../../src/runtime/stages.ts';
import { withCallLog } from '../../../src/runtime/logging/call-logger.ts';
import { moduleWith, scan } from '../../support/scan-helpers.ts';

function stagesOf(controller: Class, ...providers: readonly Class[]): typeof STAGES {
  return withCallLog(STAGES, scan(moduleWith([controller], providers)));
}

@ToolGroup('desk')
class Plain {
  @Action() run(): string {
    return 'ran';
  }
}
@Injectable()
class Books {
  constructor(readonly logger: Logger) {}
}
@ToolGroup('desk')
class Taking {
  @Action() run(@Inject(Logger) _logger: Logger): string {
    return 'ran';
  }
}

test('an application whose classes do not log has no stage for it', () => {
  expect(stagesOf(Plain)).toBe(STAGES);
});

test.each<[string, readonly [Class, ...Class[]]]>([
  ['a provider', [Plain, Books]],
  ['a parameter of a method', [Taking]],
])('the call is remembered where %s has the logger, before everything else', (_where, classes) => {
  const { request } = stagesOf(...classes);
  expect(request.log).toBeDefined();
  expect(Object.keys(request)[0]).toBe('log');
});
