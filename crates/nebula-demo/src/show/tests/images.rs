//! Textures: what is decoded, and what is refused before it takes memory.

use png::{BitDepth, ColorType, Encoder};

use crate::show::image::Decoder;

pub fn png(color: ColorType, depth: BitDepth, side: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, side, side);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![255, 0, 0, 0, 255, 0]);
    }
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(data).expect("the pixels");
    writer.finish().expect("an end");
    bytes
}

/// Eight by eight pixels of one gray, by hand: one quantisation table of ones, one Huffman code of one bit in each
/// table. The only coefficient is 576, eight times the difference of 200 from the middle, 128.
fn jpeg() -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0];
    bytes.extend([1; 64]);
    bytes.extend([0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]);
    for (table, symbol) in [(0x00, 10), (0x10, 0)] {
        bytes.extend([0xFF, 0xC4, 0, 20, table, 1]);
        bytes.extend([0; 15]);
        bytes.push(symbol);
    }
    bytes.extend([0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]);
    bytes.extend([0b0100_1000, 0b0000_1111, 0xFF, 0xD9]);
    bytes
}

fn rgba(bytes: &[u8]) -> Vec<u8> {
    Decoder::default().pixels(bytes).expect("an image").2
}

#[test]
fn every_kind_of_png_becomes_rgba() {
    let eight = BitDepth::Eight;
    assert_eq!(rgba(&png(ColorType::Rgba, eight, 1, &[1, 2, 3, 4])), [1, 2, 3, 4]);
    assert_eq!(rgba(&png(ColorType::Rgb, eight, 1, &[1, 2, 3])), [1, 2, 3, 255]);
    assert_eq!(rgba(&png(ColorType::GrayscaleAlpha, eight, 1, &[7, 9])), [7, 7, 7, 9]);
    assert_eq!(rgba(&png(ColorType::Grayscale, BitDepth::One, 1, &[0x80])), [255; 4]);
    assert_eq!(rgba(&png(ColorType::Rgb, BitDepth::Sixteen, 1, &[1, 0, 2, 0, 3, 0])), [1, 2, 3, 255]);
    assert_eq!(rgba(&png(ColorType::Indexed, BitDepth::One, 1, &[0x80])), [0, 255, 0, 255]);
}

#[test]
fn jpeg_becomes_rgba() {
    let (width, height, pixels) = Decoder::default().pixels(&jpeg()).expect("an image");
    assert_eq!((width, height), (8, 8));
    assert_eq!(pixels, [200, 200, 200, 255].repeat(64));
}

#[test]
fn broken_and_foreign_images_are_refused() {
    let whole = png(ColorType::Rgba, BitDepth::Eight, 16, &[99; 16 * 16 * 4]);
    for bytes in [&whole[..20], &whole[..60], &jpeg()[..40], b"RIFF....WEBP", b""] {
        assert!(Decoder::default().pixels(bytes).is_err(), "{bytes:?}");
    }
}

#[test]
fn an_image_that_claims_too_many_pixels_is_refused_unread() {
    let mut bytes = Vec::new();
    let mut writer = Encoder::new(&mut bytes, 16_384, 16_384).write_header().expect("a header");
    writer.write_chunk(png::chunk::IDAT, &[]).expect("a chunk");
    drop(writer);
    let said = Decoder::default().pixels(&bytes).expect_err("too large");
    assert_eq!(said, "is too large: 16384 x 16384 pixels");
}
