/** A folder in the root folder of every ext4 file system. A volume that contains only this folder counts as empty. */
export const volumeFolder = 'lost+found'
