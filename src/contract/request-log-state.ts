/** Programs with a token, or people of the company with a session. */
export const REQUEST_SOURCES = ['API', 'CONSOLE'] as const;

/** The operation of a request whose path has none with its method. */
export const NO_OPERATION = 'none';

/** Methods of the requests that are logged. */
export const REQUEST_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
