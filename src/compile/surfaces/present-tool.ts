import { ProblemList } from '../../errors/problem-list.ts';
import type { WarningCode } from '../../errors/catalogue.ts';
import type { ScannedTool } from '../../scanner/actions/scan-tools.ts';
import { listTools } from '../tools/list-tools.ts';
import { withExposedDeprecation, withFreeDiscriminator } from '../tools/prepare-tool.ts';
import type { PreparedTool, ToolLayout } from '../tools/prepared-tool.ts';
import { chooseLayout, layoutApart, reportLayout, withSmallSchemas } from '../tools/tool-layout.ts';
import { choosePinnedLayout } from './pinned-layout.ts';
import { chooseRiskLayout, withoutRisks } from './risk-layout.ts';
import type { Surface } from './surface.ts';

/**
 * The same tool, offered in another way: the same contracts, under other names and with other texts. The names and what
 * is split for its size are those of the whole tool, so that they depend on no filter and no caller.
 */
export function presentTool(
  { scanned, common, actions: prepared }: PreparedTool,
  surface: Surface,
  problems = new ProblemList(),
): PreparedTool {
  const notices = new ProblemList<WarningCode>();
  const { name, maxNameLength, maxDescription, defaults, outputs, resultLimit } = surface;
  const declared: ScannedTool = Object.freeze({
    ...scanned,
    ...(name === 'own' ? {} : describeOn(surface, scanned)),
    ...{ maxNameLength, maxDescription, defaults, outputs, resultLimit },
  });
  const named = withFreeDiscriminator(declared, prepared, notices);
  const layout = layoutOn(named, { common, actions: prepared }, surface, notices);
  const tool: ScannedTool = layout === 'flat' ? Object.freeze({ ...named, expose: 'flat' }) : named;
  const actions = Object.freeze(prepared.map((action) => withExposedDeprecation(tool, action)));
  const listed = listTools(tool, { common, actions, layout }, { problems, notices });
  return Object.freeze({
    scanned: tool,
    common,
    actions,
    listed,
    layout,
    notices: notices.problems,
    filtered: undefined,
  });
}

function describeOn(
  { name, reaches }: Surface,
  { annotations }: ScannedTool,
): Pick<ScannedTool, 'expose' | 'describe' | 'annotations'> {
  return {
    expose: name === 'flat' || reaches !== undefined ? 'flat' : 'grouped',
    describe: 'signatures',
    annotations: name === 'grouped' ? annotations : withoutRisks(annotations),
  };
}

function layoutOn(
  tool: ScannedTool,
  { common, actions }: Pick<PreparedTool, 'common' | 'actions'>,
  surface: Surface,
  notices: ProblemList<WarningCode>,
): ToolLayout {
  if (surface.name === 'flat') return 'flat';
  if (surface.reaches !== undefined) return choosePinnedLayout(tool, actions);
  return layoutApart(tool, actions, (others) =>
    layoutTogether({ tool, common, actions: others }, surface, notices),
  );
}

function layoutTogether(
  scene: Pick<PreparedTool, 'common' | 'actions'> & { readonly tool: ScannedTool },
  { name, riskNames, flatOverBytes = Infinity }: Surface,
  notices: ProblemList<WarningCode>,
): ToolLayout {
  const { tool, common, actions } = scene;
  if (name === 'grouped-by-risk') {
    const parts = chooseRiskLayout(tool, common, actions, riskNames);
    if (parts.some(({ group, isFlat, isPlain }) => group !== undefined || isFlat || isPlain === true))
      reportLayout(tool, parts, notices);
    return withSmallSchemas(scene, parts, flatOverBytes, notices);
  }
  const layout = chooseLayout(tool, common, actions);
  reportLayout(tool, layout, notices);
  return withSmallSchemas(scene, layout, flatOverBytes, notices);
}
