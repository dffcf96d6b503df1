import { methodSignature, type DesignType } from '../../metadata/design-types.ts';
import { ownRecords } from '../../metadata/records.ts';
import { isDto } from '../../dto/shape/validation-metadata.ts';
import { isClass, type Class } from '../../shared/class-type.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import { checkSchema } from '../check-options.ts';
import type { ScannedParameter } from '../members/scanned-callable.ts';
import { classifyParameter, isUntyped, type Classified, type ParameterScene } from './classify-parameter.ts';
import {
  reportConflict,
  reportInputs,
  reportNoDto,
  reportNoInput,
  reportOpen,
  reportOtherClass,
  reportUnknownInput,
} from './report-parameters.ts';

/** The parameters of a method, and the schema of its input. */
interface ScannedSignature {
  readonly input: SchemaSource | undefined;
  readonly parameters: readonly ScannedParameter[];
}

type Pick = Exclude<Classified, { kind: 'settled' }> & { readonly index: number };

const INPUT: ScannedParameter = Object.freeze({ kind: 'input' });
const NOTHING: ScannedParameter = Object.freeze({ kind: 'provider', key: undefined });

/** Determines the source of each parameter of a method; reports parameters without a known source. */
export function scanParameters(scene: ParameterScene): ScannedSignature {
  const { method } = scene;
  const { isEmitted, types } = methodSignature(method.owner, method.member);
  const classified = classifyAll(types, scene);
  const unsettled = classified.flatMap((item, index) =>
    item.kind === 'settled' ? [] : [{ ...item, index }],
  );
  const chosen = hasInput(scene) ? chooseInput(unsettled, isEmitted, scene) : undefined;
  for (const item of unsettled) if (item !== chosen) reportRest(item, chosen, scene);

  const parameters = classified.map((item, index) => {
    if (item.kind === 'settled') return item.parameter;
    return index === chosen?.index ? INPUT : NOTHING;
  });
  // Without emitted types, the parameter of `create(input = {})` is invisible: the length of the function is 0.
  if (hasInput(scene) && !isEmitted && parameters.length === 0 && method.options.input !== undefined) {
    parameters.push(INPUT);
  }
  const input = chosen === undefined ? method.options.input : inputOf(chosen, parameters.length, scene);
  return { input, parameters: Object.freeze(parameters) };
}

function classifyAll(types: readonly DesignType[], scene: ParameterScene): readonly Classified[] {
  const { owner, member } = scene.method;
  const records = ownRecords(owner, 'parameter').filter((record) => record.member === member);
  const count = Math.max(types.length, ...records.map((record) => record.index + 1));
  return Array.from({ length: count }, (_, index) =>
    classifyParameter(
      records.findLast((record) => record.index === index),
      types[index] ?? { kind: 'notEmitted' },
      index,
      scene,
    ),
  );
}

function chooseInput(
  unsettled: readonly Pick[],
  isEmitted: boolean,
  scene: ParameterScene,
): Pick | undefined {
  const named = unsettled.filter((item) => item.kind === 'input');
  if (named.length > 1) reportInputs(named, scene);
  if (named.length > 0) return named[0];
  if (unsettled.length < 2 || !isEmitted) return unsettled[0];
  const dtos = unsettled.filter((item) => isDtoType(item.design));
  if (dtos.length > 1) reportInputs(dtos, scene);
  return dtos[0] ?? unsettled.find((item) => item.design.kind !== 'class') ?? unsettled[0];
}

function reportRest(item: Pick, chosen: Pick | undefined, scene: ParameterScene): void {
  if (!hasInput(scene) && (item.kind === 'input' || isDtoType(item.design))) {
    reportNoInput(item.index, scene);
    return;
  }
  if (item.kind === 'input') return;
  // Two DTOs have been reported together.
  if (isDtoType(item.design) && chosen?.kind === 'open' && isDtoType(chosen.design)) return;
  reportOpen(item.design, item.index, scene);
}

function inputOf(chosen: Pick, count: number, scene: ParameterScene): SchemaSource | undefined {
  const { method, problems } = scene;
  const named = method.options.input;
  const explicit = chosen.kind === 'input' ? chosen.explicit : undefined;
  if (named !== undefined && explicit !== undefined && named !== explicit) reportConflict(scene);
  if (explicit !== undefined) checkSchema(explicit, 'input', problems.at(method.where));
  const source = named ?? explicit;
  if (source === undefined) return typedInput(chosen, count, scene);
  refuseOtherClass(source, chosen, scene);
  return source;
}

/** If one class extends the other, the author has chosen to share fields; a schema has no class to compare. */
function refuseOtherClass(source: SchemaSource, { design, index }: Pick, scene: ParameterScene): void {
  if (design.kind !== 'class' || !isClass(source) || !isClass(design.type)) return;
  const taken = design.type;
  const areRelated = source === taken || extendsClass(source, taken) || extendsClass(taken, source);
  if (!areRelated) reportOtherClass({ index, named: source, taken }, scene);
}

function extendsClass(type: Class, base: Class): boolean {
  return Object.prototype.isPrototypeOf.call(base.prototype as object, type.prototype as object);
}

function typedInput(chosen: Pick, count: number, scene: ParameterScene): SchemaSource | undefined {
  const { method, problems } = scene;
  const { kind, design, index } = chosen;
  if (design.kind !== 'class') {
    // `@Input() variables: Record<string, string>` gets the variables as they were matched
    const isPlain = method.remaining === 'variables' && kind === 'input' && isUntyped(design);
    if (!isPlain) reportUnknownInput(design, index, count, scene);
    return undefined;
  }
  if (!isDtoType(design)) {
    reportNoDto(design.type, index, scene);
    return undefined;
  }
  checkSchema(design.type as SchemaSource, 'input', problems.at(method.where));
  return design.type as SchemaSource;
}

function hasInput({ method }: ParameterScene): boolean {
  return method.remaining === 'input' || method.remaining === 'variables';
}

function isDtoType(design: DesignType): boolean {
  return design.kind === 'class' && isClass(design.type) && isDto(design.type);
}
