/** Headers of the connection, and those that change which route or which form of answer is asked for. */
const CONNECTION_HEADERS =
  /^(accept|accept-encoding|content-type|host|cookie|origin|connection|upgrade|te|trailer|transfer-encoding|keep-alive|content-length|expect|(x-)?http-method(-override)?|x-method-override|proxy-.*|mcp-.*)$/i;

/** Headers by which applications and proxies know whose request it is. A model would say it is another's. */
const IDENTITY_HEADERS =
  /^(authorization|forwarded|((true|fastly|x-cluster)-)?client-ip|cf-.*|(x-)?api-?key|.*-(token|secret)|(x-)?(remote|impersonate)-.*|x-(real-ip|request-id|host|(forwarded|user|role|tenant|org|account|auth|client|original|rewrite|session|http-host|ms-client|amzn-oidc|goog-(iap|authenticated)).*))$/i;

/** Whether a header may be an argument of a model. Gateways of CGI and WSGI take `_` for `-`. */
export function isOfferedHeader(header: string): boolean {
  const name = header.replaceAll('_', '-');
  return !CONNECTION_HEADERS.test(name) && !IDENTITY_HEADERS.test(name);
}
