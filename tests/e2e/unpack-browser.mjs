/*
 * Unpacks the browser that comes with the packages to the temporary folder. A process of its own, because what the package is told stands
 * in the environment while it is loaded.
 */
import bundled from '@sparticuz/chromium'

await bundled.executablePath()
