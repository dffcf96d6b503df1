import type { ErrorObject } from 'ajv/dist/2020.js';
import { fewest } from './fewest.ts';
import type { BranchErrors } from '../../schema/validator/author-schema.ts';

type Errors = readonly ErrorObject[];

export interface Explanation {
  readonly branchesOf: BranchErrors;
  /** True for errors in fields that another contract judges. */
  readonly isElsewhere: (error: ErrorObject) => boolean;
  /** True for schemas that declare such fields. */
  readonly mentionsElsewhere: (schema: unknown) => boolean;
}

const TAG_KEYWORDS = new Set(['const', 'enum']);

/**
 * The errors that tell what is wrong. A union reports those of all its branches; here the branch that was
 * meant remains, and where that cannot be told the union's own error does.
 */
export function explainErrors(errors: Errors, explanation: Explanation): Errors {
  const remaining = [...errors];
  const explained: ErrorObject[] = [];
  // a union stands behind the errors of its branches, so that from behind the outermost comes first
  for (let error = remaining.pop(); error !== undefined; error = remaining.pop()) {
    const branches = explanation.branchesOf(error);
    if (branches === undefined) {
      if (!explanation.isElsewhere(error)) explained.push(error);
    } else {
      for (const inner of branches.flat()) remove(remaining, inner);
      explained.push(...explainBranches(error, branches, explanation).toReversed());
    }
  }
  return explained.reverse();
}

function remove(errors: ErrorObject[], error: ErrorObject): void {
  const index = errors.findLastIndex((other) => isSame(other, error));
  if (index >= 0) errors.splice(index, 1);
}

function isSame(left: ErrorObject, right: ErrorObject): boolean {
  return (
    left.parentSchema === right.parentSchema &&
    left.keyword === right.keyword &&
    left.instancePath === right.instancePath &&
    JSON.stringify(left.params) === JSON.stringify(right.params)
  );
}

function explainBranches(union: ErrorObject, branches: readonly Errors[], explanation: Explanation): Errors {
  const schemas = Array.isArray(union.schema) ? (union.schema as readonly unknown[]) : [];
  const judged = branches.map((errors, index) => {
    const isWhole = !errors.some(explanation.isElsewhere);
    const isMeant = isWhole && explanation.mentionsElsewhere(schemas[index]);
    return { errors, own: explainErrors(errors, explanation), isMeant };
  });
  const meantElsewhere = judged.filter(({ isMeant }) => isMeant);
  // a branch that only refuses fields judged elsewhere holds, unless another one was meant by such a field
  if (meantElsewhere.length === 0 && judged.some(({ own }) => own.length === 0)) return [];
  const [only] = judged;
  if (union.keyword === 'if' && only !== undefined) return only.own;
  const near = (meantElsewhere.length === 0 ? judged : meantElsewhere).filter(
    ({ errors }) => !errors.some((error) => rulesOut(error, union)),
  );
  const meant = fewest(near.map(({ own }) => own));
  if (meant !== undefined) return meant;
  const tag = sharedTag(branches, union);
  return [tag === undefined ? union : { ...union, instancePath: tag }];
}

/** The branch is meant for another type, or for another value of a tag. */
function rulesOut(error: ErrorObject, union: ErrorObject): boolean {
  if (error.keyword === 'type') return error.instancePath === union.instancePath;
  return TAG_KEYWORDS.has(error.keyword) && depthBelow(union, error) <= 1;
}

/** The field by which every branch tells that it was not meant. */
function sharedTag(branches: readonly Errors[], union: ErrorObject): string | undefined {
  const tagsOf = (errors: Errors): readonly string[] =>
    errors
      .filter((error) => TAG_KEYWORDS.has(error.keyword) && depthBelow(union, error) === 1)
      .map(({ instancePath }) => instancePath);
  const [first = [], ...others] = branches.map(tagsOf);
  return first.find((path) => others.every((tags) => tags.includes(path)));
}

function depthBelow(union: ErrorObject, error: ErrorObject): number {
  return error.instancePath.slice(union.instancePath.length).split('/').length - 1;
}
