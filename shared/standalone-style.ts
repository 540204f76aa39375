/**
 * The style of pages that depend on no other file, such as the failure page. The Content-Security-Policy allows exactly this
 * text.
 */
export const standaloneStyle =
  ':root{color-scheme:light dark;scrollbar-gutter:auto}' +
  'body{margin:0;background:light-dark(#fff,#101216);color:light-dark(#15181e,#e7e9ee);font:1rem/1.5 system-ui,sans-serif}' +
  '.standalone{box-sizing:border-box;min-height:100vh;display:flex;flex-direction:column;justify-content:center;' +
  'max-width:40rem;margin:0 auto;padding:2rem 1rem;overflow-wrap:anywhere}' +
  '.standalone :is(h1,p){margin:0 0 1rem;font:inherit}' +
  '.standalone h1{font-size:1.125rem;font-weight:600;text-wrap:pretty}' +
  '[data-failure] h1{font-weight:400}' +
  // A click selects the whole line `Digest: …` for copying. The search box accepts this text.
  '[data-failure] p{width:fit-content;padding:.5rem .75rem;border-radius:6px;user-select:all;' +
  'background:light-dark(#f5f6f8,#171a20);font-family:ui-monospace,monospace}' +
  '.standalone a{display:inline-block;margin-inline-end:.5rem;padding:.375rem .75rem;border:1px solid;border-radius:6px;' +
  'border-color:light-dark(#878d9a,#6d7482);color:inherit;text-decoration:none}' +
  '.standalone a:hover{background:light-dark(#f5f6f8,#171a20)}' +
  // If the failure occurs after the head has been sent, hides the incomplete screen.
  'body>:not(.standalone){display:none}'
