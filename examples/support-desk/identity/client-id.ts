/** How the client of this example is known to the identity provider. */
export const CLIENT_ID = 'support-desk-client';

/** Where the identity provider sends the user back to. Nobody listens there: the client reads the address itself. */
export const CALLBACK = 'http://127.0.0.1:9/callback';
