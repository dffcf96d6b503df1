/** How the client of this example is known to the desk. */
export const CLIENT_ID = 'support-desk-client';

/** Where the desk sends the user back to. Nobody listens there: the client reads the address itself. */
export const CALLBACK = 'http://127.0.0.1:9/callback';

/** How the desk is known to the identity provider. Yours is a secret. */
export const DESK_ID = 'support-desk';
export const DESK_SECRET = 'for a demonstration only';
