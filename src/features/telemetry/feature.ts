import { telemetryRule } from '../../kernel/call/telemetry.ts';
import type { RequestObserver } from '../../runtime/logging/log-records.ts';
import { trueOrFalse } from '../../shared/option-rules.ts';
import { feature } from '../feature.ts';
import { AccessLog } from './access-log.ts';
import type {} from './call-fields.ts';
import { compileObservation } from './observe.ts';
import { spansOfMiddleware, withSpans } from './spans.ts';

/** Observes requests: the options `telemetry` and `accessLog`. */
export const observing = feature({
  name: 'telemetry',
  decorators: [],
  options: { application: { accessLog: trueOrFalse, telemetry: telemetryRule } },

  stages: [{ ring: 'request', place: 'observe', compile: compileObservation }],
  wrapStages: (stages, { telemetry }) => withSpans(stages, telemetry?.spans ?? []),
  aroundMiddleware: ({ telemetry }) => spansOfMiddleware(telemetry?.spans ?? []),

  wanted: ({ options }) => options.accessLog === true || options.telemetry !== undefined,
  state: (source): RequestObserver | undefined => {
    const { options, telemetry } = source;
    if (options.accessLog === true) return new AccessLog(source, telemetry);
    return telemetry && { begin: (request) => telemetry.begin(request) };
  },
  observer: (state) => state,
});
