# Debian instead of Alpine, because the prebuilt DuckDB binary needs glibc.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The workspace contains the packages that only tests need.
RUN npm ci --workspaces=false --ignore-scripts --no-audit --no-fund
COPY scripts/build.mjs scripts/
COPY scripts/build scripts/build
COPY scripts/prepare/root.mjs scripts/prepare/
COPY shared shared
COPY server server
COPY client client
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY --from=build /app/dist/package.json /app/dist/package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
# Listening on 0.0.0.0 requires sign-in (SIXPANE_PASSWORD, SIXPANE_OIDC_ISSUER or SIXPANE_AUTH=proxy) or SIXPANE_AUTH=none.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 SIXPANE_DATA=/data
# Queries, file reads and compression share Node's thread pool. If the disk stalls, each of the store's six connections can
# block a thread. With the default of four threads, pages would then miss their deadline.
ENV UV_THREADPOOL_SIZE=12
COPY LICENSE ./
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Run Node directly as PID 1, so that it receives SIGTERM.
CMD ["node", "dist/server/main.js"]
