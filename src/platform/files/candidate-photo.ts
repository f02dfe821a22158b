import { seeded } from '../vault/random.ts'
import { photoSize } from './image.ts'
import { openPicture } from './picture.ts'

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!

const skins = ['#f3cfb3', '#eec39f', '#e6b48d', '#f7dbc4', '#dfa981']
const hairs = ['#1c1715', '#2a201b', '#352822', '#15161a', '#4a3a31']
const clothes = ['#2b3a55', '#3d3d43', '#ffffff', '#56707f', '#7b4b52', '#2f4f48', '#c9d3df']
const backgrounds = ['#ffffff', '#7fb2e5', '#c8102e', '#dfe9f2']

interface Face {
  skin: string
  hair: string
  cloth: string
  /** Half width and half height of the head. */
  w: number
  h: number
  long: boolean
  glasses: boolean
  smile: number
  eye: number
  random: () => number
}

/** Hair behind the head (long hair) and over the brow. */
const hairBack = ({ hair, w, h, long }: Face) =>
  `<path d="M${147 - w - 5} 182 A${w + 5} ${h + 10} 0 0 1 ${147 + w + 5} 182Z" fill="${hair}"/>${longHair({ hair, w, h, long })}`

const longHair = ({ hair, w, h, long }: Pick<Face, 'hair' | 'w' | 'h' | 'long'>) =>
  long
    ? `<path d="M${147 - w - 14} 170 Q${147 - w - 22} 330 ${147 - w + 18} 345 L${147 + w - 18} 345 Q${147 + w + 22} 330 ${147 + w + 14} 170 Q147 ${150 - h} ${147 - w - 14} 170Z" fill="${hair}"/>`
    : ''

const hairFront = ({ hair, w, h, random }: Face) => {
  const top = 178 - h
  const part = 147 + (random() - 0.5) * w
  return `<path d="M${147 - w - 5} 178 Q${147 - w - 8} ${top - 18} 147 ${top - 22} Q${147 + w + 8} ${top - 18} ${147 + w + 5} 178 Q${147 + w - 6} ${top + 36} ${part} ${top + 20} Q${147 - w + 8} ${top + 38} ${147 - w - 5} 178Z" fill="${hair}"/>`
}

const eyes = ({ eye, glasses, hair }: Face) =>
  [-1, 1]
    .map(side => {
      const x = 147 + side * eye
      const frame = glasses
        ? `<rect x="${x - 17}" y="168" width="34" height="23" rx="8" fill="none" stroke="#333" stroke-width="2.5"/>`
        : ''
      return `<path d="M${x - 15} 160 Q${x} ${152} ${x + 15} 160" stroke="${hair}" stroke-width="4" fill="none" stroke-linecap="round"/><ellipse cx="${x}" cy="179" rx="8" ry="5" fill="#fff"/><circle cx="${x}" cy="179" r="4.6" fill="#231a16"/><circle cx="${x + 1.5}" cy="177.5" r="1.2" fill="#fff"/>${frame}`
    })
    .join('')

const body = ({ cloth, skin, random }: Face) => {
  const collar =
    random() < 0.6 ? `<path d="M112 300 L147 352 L182 300 L195 312 L150 392 L144 392 L99 312Z" fill="#f6f6f4"/>` : ''
  return `<path d="M0 413 Q12 330 95 312 L200 312 Q283 330 295 413Z" fill="${cloth}"/><path d="M118 255 L118 312 Q147 346 177 312 L177 255Z" fill="${skin}"/>${collar}`
}

const features = ({ skin, w, h, smile }: Face) =>
  `<ellipse cx="${147 - w}" cy="186" rx="9" ry="16" fill="${skin}"/><ellipse cx="${147 + w}" cy="186" rx="9" ry="16" fill="${skin}"/><ellipse cx="147" cy="186" rx="${w}" ry="${h}" fill="${skin}"/><path d="M147 184 Q140 208 147 212 Q152 213 154 210" stroke="#0002" stroke-width="3" fill="none"/><path d="M${147 - 19} 235 Q147 ${235 + smile} ${147 + 19} 235" stroke="#a85a50" stroke-width="4.5" fill="none" stroke-linecap="round"/>`

/** The portrait of a seed as SVG: an invented face, so that a demonstration needs nobody's. */
function portrait(seed: string): string {
  const random = seeded(`photo:${seed}`)
  const face: Face = {
    skin: pick(skins, random),
    hair: pick(hairs, random),
    cloth: pick(clothes, random),
    w: 62 + random() * 12,
    h: 82 + random() * 12,
    long: random() < 0.5,
    glasses: random() < 0.3,
    smile: 3 + random() * 8,
    eye: 27 + random() * 6,
    random,
  }
  const { width, height } = photoSize
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${pick(backgrounds, random)}"/>${hairBack(face)}${body(face)}${features(face)}${eyes(face)}${hairFront(face)}</svg>`
}

/** An ID photo drawn from a seed, always the same for the same seed: JPEG, 295 × 413, under 8 KB. */
export async function candidatePhoto(seed: string): Promise<Buffer> {
  const picture = await openPicture(Buffer.from(portrait(seed)))
  return picture.flatten({ background: '#fff' }).jpeg({ quality: 66 }).toBuffer()
}
