import type { AuthInfo } from '../../call/request-context.ts';
import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { withAuthority } from '../requirements/authorize.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import { compileMethod, type RouteSettings } from '../route.ts';
import type { ToolService } from '../service-parts.ts';
import type { ServedTools } from './tool-view.ts';
import { ToolRouter } from './tools.ts';

/** The tools of a registry, for the clients of one service. */
export function createToolService(served: ServedTools): ToolService {
  const { views, filter } = served;
  const list = (verdicts?: Verdicts): readonly ToolDefinition[] =>
    (verdicts === undefined ? views.of(filter) : views.seenBy(verdicts, filter)).definitions;
  let listNow = (_caller: AuthInfo | undefined): readonly ToolDefinition[] => list();
  return Object.freeze({
    list,
    listNow: (caller: AuthInfo | undefined) => listNow(caller),
    methods: (settings: RouteSettings) => {
      const { authorization } = settings;
      const router = new ToolRouter(served, settings);
      listNow = (caller) => {
        router.compile();
        return list(authorization.isNeeded ? authorization.checkNow(caller) : undefined);
      };
      const answerList = (call: Call): MaybePromise<Outcome> => {
        router.compile();
        const page = (shown: readonly ToolDefinition[]): Outcome =>
          settings.lists.page('tools/list', shown, call);
        if (!authorization.isNeeded) return page(list());
        return withAuthority(call, authorization, ({ verdicts }) => page(list(verdicts)));
      };
      return {
        'tools/list': compileMethod('tools/list', settings, answerList),
        'tools/call': router.call,
      };
    },
  });
}
