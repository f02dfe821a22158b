/** What jsdom lacks of a browser and drawings of processes ask for: names as parts of a selector, and places in an SVG. */

/** A name as part of a selector (CSSOM, "serialize an identifier"). */
function escapeIdentifier(text: string): string {
  const units = [...text]
  return units
    .map((unit, at) => {
      const code = unit.codePointAt(0) ?? 0
      const isDigit = /\d/.test(unit)
      const isFirst = at === 0 || (at === 1 && units[0] === '-')
      if (code === 0) return '\uFFFD'
      if (code < 0x20 || code === 0x7f || (isDigit && isFirst)) return `\\${code.toString(16)} `
      if (unit === '-' && units.length === 1) return '\\-'
      return code >= 0x80 || /[\w-]/.test(unit) ? unit : `\\${unit}`
    })
    .join('')
}
Object.assign(globalThis, { CSS: { ...globalThis.CSS, escape: escapeIdentifier } })

/** Nothing is laid out, so nothing is moved, turned or scaled either. */
class Matrix {
  readonly a = 1
  readonly b = 0
  readonly c = 0
  readonly d = 1
  readonly e = 0
  readonly f = 0
  readonly inverse = () => this
  readonly multiply = () => this
  readonly translate = () => this
  readonly scale = () => this
}
class Transform {
  readonly type = 0
  readonly matrix = new Matrix()
  readonly setMatrix = () => {}
  readonly setTranslate = () => {}
  readonly setRotate = () => {}
  readonly setScale = () => {}
}
class Transforms {
  readonly numberOfItems = 0
  readonly clear = () => {}
  readonly appendItem = () => {}
  readonly getItem = () => new Transform()
  readonly createSVGTransformFromMatrix = () => new Transform()
  readonly consolidate = () => new Transform()
}
Object.assign(globalThis, { SVGMatrix: Matrix, SVGTransform: Transform, SVGTransformList: Transforms })
Object.assign(SVGElement.prototype, {
  getBBox: () => ({ x: 0, y: 0, width: 100, height: 80 }),
  getCTM: () => new Matrix(),
  getScreenCTM: () => new Matrix(),
  createSVGMatrix: () => new Matrix(),
  createSVGPoint: () => ({ x: 0, y: 0, matrixTransform: () => ({ x: 0, y: 0 }) }),
  createSVGTransform: () => new Transform(),
  getTotalLength: () => 100,
  getPointAtLength: () => ({ x: 0, y: 0 }),
  getComputedTextLength: () => 50,
})
Object.defineProperty(SVGElement.prototype, 'transform', { get: () => ({ baseVal: new Transforms() }) })

export {}
