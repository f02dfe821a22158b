import { pictureKind } from './picture-kind.ts'

/** What the person who chose a file can do about its refusal. Each begins with the comma that joins it to the refusal. */
export const advice = {
  heic: '，这是HEIC照片：请在iPhone“设置-相机-格式”中选择“兼容性最佳”后重新拍照，或将照片截屏后上传截图',
  exts: (exts: readonly string[]): string => `，请改用${exts.join('/')}格式的文件`,
  size: '，图片请截屏后上传截图，其他文件请压缩或拆分后上传',
  picture: '，请用图片软件另存为jpg或png，或将图片截屏后上传截图',
  pdf: '，请重新打印或另存为不带脚本和附件的PDF',
  office: '，请用WPS或Excel、Word打开后另存，不要只改文件名',
  archive: '，请去掉密码后重新压缩或另存，再上传',
  scan: '，未通过安全扫描，请换用其他文件',
  large: '，请将图片缩小或截屏后上传',
  small: '，请上传更清晰的原图',
  again: '，请重新选择文件上传',
  exact: '，请将图片裁剪到该尺寸',
} as const

/** What to do about a file whose kind is not taken: a phone's own kind of photo is named, whatever it is called. */
export const adviceForKind = (bytes: Uint8Array, exts: readonly string[]): string =>
  pictureKind(bytes) === 'heic' && exts.includes('jpg') ? advice.heic : advice.exts([...new Set(exts)])
