import { parseSync } from '@swc/core';
import ts from 'typescript';

/** A change of one line. */
export interface Mutation {
  readonly mutation: string;
  /** Counted from 1. */
  readonly line: number;
  /** The whole line afterwards, without the white space around it. */
  readonly becomes: string;
}

/** The same as a piece of the text and what comes in its place. */
interface Edit {
  readonly mutation: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>'],
  '<=': ['<'],
  '>': ['>=', '<'],
  '>=': ['>'],
};

/** All mutations of a text that stay within one line. */
export function mutationsIn(path: string, text: string): readonly Mutation[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    // Types have no code, and what a decorator says is data
    if (ts.isTypeNode(node) || ts.isDecorator(node) || ts.isImportDeclaration(node)) return;
    edits.push(...editsAt(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return edits.flatMap((edit) => mutationBy(edit, text, source));
}

function mutationBy({ mutation, from, to, text: replacement }: Edit, text: string, source: ts.SourceFile) {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', from);
  if (to > end) return [];
  const becomes = (text.slice(start, from) + replacement + text.slice(to, end)).trim();
  return [{ mutation, line: source.getLineAndCharacterOfPosition(from).line + 1, becomes }];
}

/** With one `||`, `a ?? b ?? c` is none, for instance. The compiler of the tests decides. */
export function isProgram(text: string): boolean {
  try {
    parseSync(text, { syntax: 'typescript', decorators: true, target: 'es2022' });
    return true;
  } catch {
    return false;
  }
}

function editsAt(node: ts.Node, source: ts.SourceFile): readonly Edit[] {
  if (ts.isBinaryExpression(node)) return editsOfOperator(node, source);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [replace(node, node.operand.getText(source), 'drop !', source)];
  if (ts.isIfStatement(node) && node.elseStatement === undefined && isExit(node.thenStatement))
    return [remove(node, 'drop early exit', source)];
  if (ts.isExpressionStatement(node) && isCall(node.expression)) return [remove(node, 'drop call', source)];
  if (ts.isConditionalExpression(node)) {
    const [first, second] = [node.whenTrue, node.whenFalse].map((branch) => branch.getText(source));
    const swapped = `${node.condition.getText(source)} ? ${String(second)} : ${String(first)}`;
    return [replace(node, swapped, 'swap branches', source)];
  }
  return editsOfLiteral(node, source);
}

function editsOfOperator(node: ts.BinaryExpression, source: ts.SourceFile): readonly Edit[] {
  const { left, right, operatorToken } = node;
  const operator = operatorToken.getText(source);
  if (operator === '&&' || operator === '||') {
    return [
      replace(node, right.getText(source), `drop left of ${operator}`, source),
      replace(node, left.getText(source), `drop right of ${operator}`, source),
    ];
  }
  if (operator === '??') return isTrue(right) ? [replace(operatorToken, '||', '?? to ||', source)] : [];
  const others = OPERATORS[operator] ?? [];
  return others.map((other) => replace(operatorToken, other, `${operator} to ${other}`, source));
}

/** Of objects, and before what is false itself, `??` and `||` are the same. */
function isTrue(node: ts.Expression): boolean {
  if (ts.isNumericLiteral(node)) return Number(node.text) !== 0;
  return node.kind === ts.SyntaxKind.TrueKeyword || (ts.isStringLiteralLike(node) && node.text !== '');
}

function editsOfLiteral(node: ts.Node, source: ts.SourceFile): readonly Edit[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [replace(node, 'false', 'true to false', source)];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [replace(node, 'true', 'false to true', source)];
  const text = node.getText(source);
  // One more or less of a large number is the same to a user
  const isSmall =
    ts.isNumericLiteral(node) && /^\d{1,3}$/.test(text) && !ts.isPropertyAssignment(node.parent);
  return isSmall ? [replace(node, String(Number(text) + 1), 'number off by one', source)] : [];
}

function isExit(statement: ts.Statement): boolean {
  if (ts.isBlock(statement)) {
    const [only, ...more] = statement.statements;
    return only !== undefined && more.length === 0 && isExit(only);
  }
  return (
    ts.isReturnStatement(statement) ||
    ts.isThrowStatement(statement) ||
    ts.isContinueStatement(statement) ||
    ts.isBreakStatement(statement)
  );
}

function isCall(expression: ts.Expression): boolean {
  const called = ts.isAwaitExpression(expression) ? expression.expression : expression;
  return ts.isCallExpression(called) && called.expression.kind !== ts.SyntaxKind.SuperKeyword;
}

function replace(node: ts.Node, text: string, mutation: string, source: ts.SourceFile): Edit {
  return { mutation, from: node.getStart(source), to: node.getEnd(), text };
}

/** Where a statement is all that belongs to an `if` or a loop, an empty one stays. */
function remove(node: ts.Statement, mutation: string, source: ts.SourceFile): Edit {
  const isInList =
    ts.isBlock(node.parent) || ts.isSourceFile(node.parent) || ts.isCaseOrDefaultClause(node.parent);
  return replace(node, isInList ? '' : ';', mutation, source);
}
