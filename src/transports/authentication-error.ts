import { refuseOptions } from '../errors/option-errors.ts';
import { hasBrand } from '../shared/has-brand.ts';
import { filledText, rule, text, type OptionRules } from '../shared/option-rules.ts';

const BRAND = Symbol.for('toolwright:authentication-error');

/** The contents of the `WWW-Authenticate` header of a refusal (RFC 6750, 3). */
export interface AuthenticationErrorOptions {
  /** Default: `insufficient_scope` for 403; `invalid_token` for 401 where the client sent one. */
  readonly error?: string;
  /** One sentence for developers; also the message of the answer. */
  readonly description?: string;
  /** What the token must allow, separated by spaces. */
  readonly scope?: string;
  /** The URL of the document that names the authorization server (RFC 9728, 5.1). */
  readonly resourceMetadata?: string;
}

export const AUTHENTICATION_RULES: OptionRules<AuthenticationErrorOptions> = {
  error: filledText,
  description: text,
  scope: text,
  resourceMetadata: rule('an absolute URL', (value) => typeof value === 'string' && URL.canParse(value)),
};

/**
 * What `authenticate` throws to refuse a request and tell its client how to come back.
 *
 * @example
 * throw new AuthenticationError(403, { scope: 'tasks:write' });
 */
export class AuthenticationError extends Error {
  /** The HTTP status: 401 asks for a token, 403 refuses the one that came. */
  readonly status: 401 | 403;
  /** What the answer says: the challenge and the scopes. */
  readonly options: AuthenticationErrorOptions;
  protected readonly [BRAND] = true;

  /** @throws ToolwrightError `TW_SERVER_OPTION` for unknown options, which would have no effect. */
  constructor(status: 401 | 403, options: AuthenticationErrorOptions = {}) {
    refuseOptions('TW_SERVER_OPTION', 'new AuthenticationError()', options, AUTHENTICATION_RULES);
    super(
      options.description ??
        (status === 401 ? 'The request is not authorized' : 'The token does not allow this'),
    );
    this.name = 'AuthenticationError';
    this.status = status;
    this.options = options;
  }

  /** Recognises the errors of every installed copy of the package, which `instanceof` does not. */
  static is(value: unknown): value is AuthenticationError {
    return hasBrand(value, BRAND);
  }
}
