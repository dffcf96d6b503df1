import { thenMaybe } from '../../shared/maybe-promise.ts';
import { feature } from '../feature.ts';
import { readAsTools, type PrimitivesAsTools } from './index.ts';
import type {} from './call-fields.ts';
import {
  describeGetPrompt,
  describeOnce,
  describeReadResource,
  GET_PROMPT,
  READ_RESOURCE,
} from './describe-tools.ts';
import { toToolOutcome } from './tool-outcome.ts';

/** Resources and prompts as tools, for clients that read none: the option `surface.asTools`. */
export const primitiveTools = feature({
  name: 'primitive-tools',
  decorators: [],
  wanted: ({ scanned, options }) => {
    const { resources, prompts } = readAsTools(options.surface);
    return scanned !== undefined && (resources !== false || prompts !== false);
  },
  state: ({ options }) => readAsTools(options.surface),
  tools: (said) => {
    if (said === undefined) return [];
    const resourceTool = describeOnce('resources', describeReadResource);
    const promptTool = describeOnce('prompts', describeGetPrompt);
    return [
      {
        name: READ_RESOURCE,
        describe: (reader) =>
          isListed(said.resources, reader.client?.readsResources) ? resourceTool(reader) : undefined,
        answer: ({ uri }, _call, ask) => thenMaybe(ask('resources/read', { uri }), toToolOutcome),
      },
      {
        name: GET_PROMPT,
        describe: (reader) =>
          isListed(said.prompts, reader.client?.readsPrompts) ? promptTool(reader) : undefined,
        answer: ({ name, arguments: given }, _call, ask) =>
          thenMaybe(ask('prompts/get', { name, arguments: given }), toToolOutcome),
      },
    ];
  },
});

function isListed(said: PrimitivesAsTools['resources'], isRead: boolean | undefined): boolean {
  return said === 'auto' ? isRead === false : said;
}
