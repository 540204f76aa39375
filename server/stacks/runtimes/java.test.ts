import t from 'tap'
import { exceptionInText } from '../exception-in-text.ts'
import { stackFrames } from '../stack.ts'

const trace = `Exception in thread "main" java.lang.IllegalStateException: order 4711 failed
in the second line
	at com.shop.Checkout.lambda$pay$0(Checkout.java:14)
	at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
	at app//com.shop.Cart$Item.<init>(Cart.java:33) ~[shop-1.2.jar:1.2]
	at com.shop.MainKt.main(Main.kt)
	at com.shop.Cart$$EnhancerBySpringCGLIB$$1b2c3d4.total(<generated>)
	at jdk.proxy2/com.sun.proxy.$Proxy42.total(Unknown Source)
	at com.shop.Cart$$Lambda$14/0x0000000800c03000.run(Unknown Source)
	at java.lang.reflect.Method.invoke(Native Method)
	Suppressed: java.lang.RuntimeException: not closed
		at com.shop.Pool.close(Pool.java:5)
Caused by: java.lang.NullPointerException: Cannot invoke "A.b()" because "<local4>.c" is null
	at com.shop.Price.plus(Price.java:8)
	... 23 more`

t.test('parses JVM stacks with causes and suppressed exceptions', async t => {
  t.same(
    stackFrames(trace).map(({ functionName, file, line }) => `${functionName} ${file} ${line ?? '-'}`),
    [
      'com.shop.Checkout.lambda$pay$0 com/shop/Checkout.java 14',
      'java.util.ArrayList.forEach java/util/ArrayList.java 1511',
      'com.shop.Cart$Item.<init> com/shop/Cart.java 33',
      'com.shop.MainKt.main com/shop/Main.kt -',
      'com.shop.Cart$$EnhancerBySpringCGLIB$$1b2c3d4.total <generated> -',
      'com.sun.proxy.$Proxy42.total <generated> -',
      '0x0000000800c03000.run <generated> -',
      'java.lang.reflect.Method.invoke java/lang/reflect/Method.java -',
      'com.shop.Pool.close com/shop/Pool.java 5',
      'com.shop.Price.plus com/shop/Price.java 8',
    ],
  )
})

t.test('frames of closures and anonymous classes keep the file in which the compiler found them', async t => {
  const stack = `java.lang.IllegalStateException: not ready
\tat com.shop.Cart$$anonfun$receive$1.applyOrElse(Cart.scala:12)
\tat com.shop.Cart$$anon$1.run(Cart.scala:20)
\tat com.shop.CartKt$load$$inlined$map$1$2.emit(Cart.kt:223)
\tat com.shop.Cart$$Lambda$14/0x0000000800c03000.run(Unknown Source)
\tat com.shop.Cart$$SpringCGLIB$$0.total(<generated>)`
  t.same(
    stackFrames(stack).map(({ file }) => file),
    ['com/shop/Cart.scala', 'com/shop/Cart.scala', 'com/shop/Cart.kt', '<generated>', '<generated>'],
  )
})

t.test('reads an uncaught exception whose class has no package', async t => {
  const frame = '\tat Main.main(Main.java:3)'
  t.match(exceptionInText(`Exception in thread "main" Main$NoCart: no cart\n${frame}`)?.exception, {
    type: 'Main$NoCart',
    message: 'no cart',
  })
})

t.test('parses stacks from Android apps without file names, and from Clojure', async t => {
  const stack = `java.lang.IllegalStateException: not ready
\tat s4.a.b(Unknown Source:3)
\tat s4.c.d(SourceFile:12)
\tat s4.e.f(r8-map-id-0a1b2c:7)
\tat shop.core$total.invoke(core.cljc:8)
\tat user$eval1.invokeStatic(NO_SOURCE_FILE:1)`
  t.same(
    stackFrames(stack).map(({ functionName, file, line }) => `${functionName} ${file} ${line ?? '-'}`),
    [
      's4.a.b s4/a.java 3',
      's4.c.d s4/c.java 12',
      's4.e.f s4/e.java 7',
      'shop.core$total.invoke shop/core.cljc 8',
      'user$eval1.invokeStatic user.java 1',
    ],
  )
  t.match(exceptionInText(stack)?.exception, {
    type: 'java.lang.IllegalStateException',
    message: 'not ready',
  })
})

t.test('reads the thrown exception above a JVM stack', async t => {
  t.same(exceptionInText(trace), {
    exception: {
      type: 'java.lang.IllegalStateException',
      message: 'order 4711 failed\nin the second line',
      stack: trace,
    },
    summary:
      'Exception in thread "main" java.lang.IllegalStateException: order 4711 failed\nin the second line',
  })
  const logged =
    '12:00:01 ERROR c.s.Cart - checkout failed\njava.io.IOException\n\tat com.shop.Cart.total(Cart.java:12)'
  t.match(exceptionInText(logged), {
    exception: { type: 'java.io.IOException', message: '' },
    summary: '12:00:01 ERROR c.s.Cart - checkout failed\njava.io.IOException',
  })
})
