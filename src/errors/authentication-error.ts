import { refuseOptions } from './option-errors.ts';
import { hasBrand } from '../shared/error-shape.ts';
import { filledText, rule, text, wholeNumber, type OptionRules } from '../shared/option-rules.ts';

const BRAND = Symbol.for('toolwright:authentication-error');

/** The contents of the `WWW-Authenticate` header of a refusal (RFC 6750, 3). */
export interface AuthenticationErrorOptions {
  /**
   * Default: `insufficient_scope` for 403, `invalid_request` for 400; `invalid_token` for 401 where the client sent a
   * token.
   */
  readonly error?: string;
  /** One sentence for developers; also the message of the answer. */
  readonly description?: string;
  /** Why the credential is refused, for the log: no client sees it. Default: the description. */
  readonly reason?: string;
  /** What the token must allow, separated by spaces. */
  readonly scope?: string;
  /** The URL of the document that names the authorization server (RFC 9728, 5.1). */
  readonly resourceMetadata?: string;
  /** Of 503: the seconds after which a client should try again. Default 5. */
  readonly retryAfter?: number;
}

export const AUTHENTICATION_RULES: OptionRules<AuthenticationErrorOptions> = {
  error: filledText,
  description: text,
  reason: text,
  scope: text,
  resourceMetadata: rule('an absolute URL', (value) => typeof value === 'string' && URL.canParse(value)),
  retryAfter: wholeNumber(0),
};

const MESSAGES = {
  400: 'The credentials of the request cannot be read',
  401: 'The request is not authorized',
  403: 'The token does not allow this',
  503: 'The token cannot be verified now',
} as const;

/**
 * What `authenticate` and verifiers throw to refuse a request and tell its client how to come back.
 *
 * @example
 * throw new AuthenticationError(403, { scope: 'tasks:write' });
 */
export class AuthenticationError extends Error {
  /**
   * The HTTP status: 401 asks for a token, 403 refuses the one that came, 400 one that cannot be read; 503 says that it
   * cannot be verified now, so that the client keeps it.
   */
  readonly status: 400 | 401 | 403 | 503;
  /** What the answer says: the challenge and the scopes. */
  readonly options: AuthenticationErrorOptions;
  protected readonly [BRAND] = true;

  /** @throws ToolwrightError `TW_SERVER_OPTION` for unknown options, which would have no effect. */
  constructor(status: 400 | 401 | 403 | 503, options: AuthenticationErrorOptions = {}) {
    refuseOptions('TW_SERVER_OPTION', 'new AuthenticationError()', options, AUTHENTICATION_RULES);
    super(options.description ?? MESSAGES[status]);
    this.name = 'AuthenticationError';
    this.status = status;
    this.options = options;
  }

  /** Recognises the errors of every installed copy of the package, which `instanceof` does not. */
  static is(value: unknown): value is AuthenticationError {
    return hasBrand(value, BRAND);
  }
}
