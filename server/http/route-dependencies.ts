/** The plugins that protect every route. A plugin with routes depends on them, so that it cannot be registered before them. */
export const routeDependencies = ['headers', 'cross-site', 'authentication']
