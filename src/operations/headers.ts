/** Headers of the connection. */
const CONNECTION_HEADERS =
  /^(accept|content-type|host|cookie|origin|connection|upgrade|te|trailer|transfer-encoding|keep-alive|content-length|proxy-.*|mcp-.*)$/i;

/** Headers by which applications and proxies know whose request it is. A model would say it is another's. */
const IDENTITY_HEADERS =
  /^(authorization|forwarded|true-client-ip|cf-.*|(x-)?api-?key|.*-(token|secret)|x-(real-ip|request-id|(forwarded|user|tenant|org|account|auth|client|original).*))$/i;

/** Whether a header may be an argument of a model. */
export function isOfferedHeader(header: string): boolean {
  return !CONNECTION_HEADERS.test(header) && !IDENTITY_HEADERS.test(header);
}
