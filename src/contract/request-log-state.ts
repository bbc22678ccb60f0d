/** Programs with a token, or people of the company with a session. */
export const REQUEST_SOURCES = ['API', 'CONSOLE'] as const;

/** Methods of the requests that are logged. */
export const REQUEST_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
