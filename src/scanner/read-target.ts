import type { ProblemList } from '../errors/problem-list.ts';
import { parseUriTemplate, type UriTemplate } from '../shared/uri-template.ts';
import { describeValue } from '../shared/describe-value.ts';

/** What a resource stands for. */
export type ResourceTarget =
  | { readonly kind: 'fixed'; readonly uri: string }
  /** `template` is undefined after reporting why there is none. */
  | { readonly kind: 'template'; readonly uri: string; readonly template: UriTemplate | undefined };

/** Reads the first argument of @Resource, which JavaScript may have called with anything. */
export function readTarget(uri: unknown, where: string, problems: ProblemList): ResourceTarget {
  if (typeof uri === 'string' && /[{}]/.test(uri)) {
    return { kind: 'template', uri, template: readTemplate(uri, where, problems) };
  }
  if (typeof uri !== 'string' || !URL.canParse(uri)) reportUri(uri, where, problems);
  return { kind: 'fixed', uri: String(uri) };
}

/** Equal for templates that fit the same URIs because they differ in the names of variables only. */
export function templateShape(uriTemplate: string): string {
  return uriTemplate.replace(
    /\{([+#./]?)([\w.%,]+)\}/g,
    (_, operator: string, names: string) => `{${operator}${names.replace(/[^,]+/g, '')}}`,
  );
}

function readTemplate(uri: string, where: string, problems: ProblemList): UriTemplate | undefined {
  const report = (why: string, fix: string): void => {
    problems.add('TW_SCAN_TEMPLATE_INVALID', {
      where,
      what: `has the template "${uri}", which no URI could be matched with.`,
      why,
      fix,
    });
  };
  try {
    const template = parseUriTemplate(uri);
    if (!uri.startsWith('{') && !/^[a-z][a-z\d+.-]*[:{]/i.test(uri)) {
      report('it has no scheme.', `@Resource('docs://${uri.replace(/^\/+/, '')}')`);
    }
    return template;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    report(error.message, 'write a variable as {name}, and one that may contain slashes as {+name}');
    return undefined;
  }
}

function reportUri(uri: unknown, where: string, problems: ProblemList): void {
  const isText = typeof uri === 'string';
  problems.add('TW_SCAN_URI_INVALID', {
    where,
    what: isText ? `has the URI "${uri}", which is none.` : `has ${describeValue(uri)} for a URI.`,
    why: 'a URI is absolute: it begins with a scheme and a colon.',
    fix: `@Resource('docs://${(isText ? uri.replace(/^\W+/, '') : '') || 'readme'}')`,
  });
}
