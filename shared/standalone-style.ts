/**
 * The style of pages that depend on no other file, such as the failure page. The Content-Security-Policy allows exactly this
 * text.
 */
export const standaloneStyle =
  ':root{color-scheme:light dark;scrollbar-gutter:auto}' +
  'body{margin:0;background:Canvas;color:CanvasText;font:1rem/1.5 system-ui,sans-serif}' +
  '.standalone{box-sizing:border-box;min-height:100vh;display:flex;flex-direction:column;justify-content:center;' +
  'max-width:40rem;margin:0 auto;padding:2rem 1rem;overflow-wrap:anywhere}' +
  '.standalone :is(h1,p){margin:0 0 .5rem;font:inherit}' +
  // A click selects the digest, to copy it. The search box accepts the text before it.
  '[data-failure] p{user-select:all}' +
  '.standalone a{margin-inline-end:1rem;color:LinkText}' +
  // If the failure occurs after the head has been sent, hides the incomplete screen.
  'body>:not(.standalone){display:none}'
