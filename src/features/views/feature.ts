import type { ProblemList } from '../../errors/problem-list.ts';
import { isVisible } from '../../compile/tools/tool-filter.ts';
import type { ScannedAction } from '../../scanner/actions/scan-tools.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import type { Use } from '../../scanner/scan-facet.ts';
import { feature } from '../feature.ts';
import type {} from './call-fields.ts';
import { describeViewOfTool, viewRule, type SaidView } from './view-options.ts';
import { findPages, ViewPages } from './view-pages.ts';

/** Pages that hosts show beside a conversation: `@View` of `toolwright/apps` (MCP Apps). */
export const viewsFeature = feature({
  name: 'views',
  decorators: [{ name: '@View', rule: viewRule, whyOnly: 'only results of actions are shown in views.' }],
  readAction: (uses: readonly Use<SaidView>[]): SaidView | undefined =>
    uses.find(({ on }) => on === 'method')?.options,
  check: checkPages,

  apart: (said) => ({
    meta: describeViewOfTool(said),
    isForModels: said.visibility === undefined || said.visibility.includes('model'),
  }),

  wanted: ({ scanned, filter }) =>
    scanned !== undefined &&
    scanned.tools.some(({ actions }) =>
      actions.some((action) => viewUri(action) !== undefined && isVisible(action, filter)),
    ),
  state: ({ scanned }) => new ViewPages(findPages(scanned ?? { tools: [] })),
  offers: (views) => (views === undefined ? [] : ['resources']),
  resources: (call, views, tools) => views?.listTo(call, tools) ?? [],
  everyResource: (views) => views?.all ?? [],
  read: (call, views, tools) => views?.read(call, tools),
  fitTools: (list, call, views) => views?.fit(list, call) ?? list,
});

function viewUri({ slots }: ScannedAction): string | undefined {
  return (slots['views'] as SaidView | undefined)?.uri;
}

/** Every view has one page, and a view that an action names is there. */
function checkPages({ tools }: ScannedApplication, _options: object, problems: ProblemList): void {
  const declared = new Map<string, string>();
  const actions = tools.flatMap((tool) => tool.actions);
  for (const { slots, where } of actions) {
    const { uri, html } = (slots['views'] as SaidView | undefined) ?? {};
    if (uri === undefined || html === undefined) continue;
    const first = declared.get(uri);
    if (first === undefined) declared.set(uri, where);
    else
      problems.at(where).add('TW_SCAN_VIEW', {
        what: `declares the view ${uri} again; ${first} has it already.`,
        why: 'a view has one page.',
        fix: `@View('${uri}') without a page, or another URI`,
      });
  }
  for (const action of actions) {
    const uri = viewUri(action);
    if (uri === undefined || declared.has(uri)) continue;
    problems.at(action.where).add('TW_SCAN_VIEW', {
      what: `has the view ${uri}, which no action declares with a page.`,
      why: 'a host would find nothing to show.',
      fix: `@View('${uri}', { file: new URL('view.html', import.meta.url) }) on one of its actions`,
    });
  }
}
