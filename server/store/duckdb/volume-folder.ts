/** A folder at the root of every ext4 file system. It belongs to root, so an empty volume contains it. */
export const volumeFolder = 'lost+found'
