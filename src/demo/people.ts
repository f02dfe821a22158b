import { birthdayOf, idCardCheck, sexOf } from '#engine'
import { chance, pick } from './random.ts'

const surnames = [
  ...'王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚钟姜崔谭陆范汪廖石金贾夏付方邹熊白孟秦邱侯江尹薛闫雷龙史陶贺毛郝顾龚邵万钱严赖覃洪武戴莫孔向',
]
const syllables = [
  ...'伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰红梅鑫宇欣怡子涵梓轩雨萱浩然思远佳琪俊晨诗婷文博嘉瑞雪莹志强建国海燕春晓云龙国庆',
]

/** Names that tell whether every part of the product copes with them: rare characters, names of two parts, one character more. */
const rare = [
  '张㐂林',
  '李喆',
  '王堃',
  '陈䶮',
  '刘犇',
  '欧阳若彤',
  '赵翀',
  '周燚',
  '买买提·艾力',
  '阿依古丽·吐尔逊',
  '迪丽努尔·买买提江',
  '司马昱辰',
]

/** Districts people come from: the first six digits of their ID numbers. */
export const districts = [
  '350102',
  '350103',
  '350104',
  '350105',
  '350111',
  '350121',
  '350203',
  '350206',
  '350503',
  '350602',
  '360102',
  '330106',
  '440305',
  '510107',
  '650102',
]

/** A person of the demonstration. */
export interface Person {
  name: string
  idCard: string
  phone: string
  sex: 1 | 2
  /** `yyyy-MM-dd` */
  birthday: string
  /** First six digits of the ID number. */
  district: string
}

const two = (n: number) => String(n).padStart(2, '0')

/** A name: every twenty-fifth is one of the rare ones. */
function namedBy(n: number, random: () => number): string {
  const common = pick(surnames, random) + pick(syllables, random) + (random() < 0.75 ? pick(syllables, random) : '')
  return n % 25 === 3 ? (rare[Math.floor(n / 25) % rare.length] as string) : common
}

/** The name of the n-th person. */
export const nameOf = (n: number): string => namedBy(n, chance(n + 7))

/** The n-th person, always the same: a name, an ID number made by rule, a phone number. */
function personOf(n: number): Person {
  const random = chance(n + 7)
  const district = pick(districts, random)
  const born = `${1988 + Math.floor(random() * 15)}${two(1 + Math.floor(random() * 12))}${two(1 + Math.floor(random() * 28))}`
  // Ten thousand people may share a district and a birthday before two get the same number.
  const first = `${district}${born}${String(n % 1000).padStart(3, '0')}`
  const idCard = first + idCardCheck(first)
  const name = namedBy(n, random)
  const phone = `1${['38', '39', '50', '59', '86', '77'][n % 6]}${String(10_000_000 + ((n * 7919) % 90_000_000)).padStart(8, '0')}`
  return { name, idCard, phone, sex: sexOf(idCard), birthday: birthdayOf(idCard), district }
}

/** The first `count` people with no ID number and no phone number twice. */
export function people(count: number): Person[] {
  const found: Person[] = []
  const seen = new Set<string>()
  for (let n = 0; found.length < count; n++) {
    const one = personOf(n)
    if (seen.has(one.idCard) || seen.has(one.phone)) continue
    seen.add(one.idCard).add(one.phone)
    found.push(one)
  }
  return found
}
