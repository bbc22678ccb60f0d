/** Stylesheets that the build takes out of scripts. */
declare module '*.css';
