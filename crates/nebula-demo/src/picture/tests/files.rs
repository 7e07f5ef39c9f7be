//! Files that are read back.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::*;

#[test]
fn png_files_keep_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    for (width, height) in [(1, 1), (5, 3), (64, 31)] {
        let picture = noise(width, height, 3);
        write_png(&path, &picture).unwrap();
        let mut reader = png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.width, info.height, info.color_type), (width, height, png::ColorType::Rgba));
        assert_eq!(bytes, picture.as_bytes());
    }
    assert!(write_png(&path, &Canvas::new(0, 0)).is_err());
    assert!(write_png(&folder.path().join("no folder/picture.png"), &Canvas::new(1, 1)).is_err());
}

#[test]
fn gif_files_with_few_colours_keep_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.gif");
    for (width, height) in [(1, 1), (7, 5), (40, 30)] {
        let frames: Vec<Canvas> = (0..9_u8).map(|frame| flat(width, height, frame)).collect();
        write_gif(&path, &frames, 20.0, true).unwrap();
        let (shown, delays, repeat) = read_gif(&path);
        assert!(shown == frames);
        assert_eq!(delays, [5; 9]);
        assert_eq!(repeat, gif::Repeat::Infinite);
    }
}

#[test]
fn gif_files_with_many_colours_come_close_and_do_not_flicker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.gif");
    // A square that moves over a gradient.
    let frames: Vec<Canvas> = (0..8)
        .map(|frame| {
            let mut picture = gradient(96, 64);
            picture.paste(&flat(12, 12, 3), 8 * frame, 20);
            picture
        })
        .collect();
    write_gif(&path, &frames, 25.0, false).unwrap();
    let (shown, delays, repeat) = read_gif(&path);
    assert_eq!(delays, [4; 8]);
    assert_eq!(repeat, gif::Repeat::Finite(0));
    for (frame, shown) in frames.iter().zip(&shown) {
        let errors = frame.as_bytes().iter().zip(shown.as_bytes()).map(|(left, right)| left.abs_diff(*right));
        let mean = errors.clone().map(f64::from).sum::<f64>() / frame.as_bytes().len() as f64;
        assert!(mean < 3.0, "{mean}");
        assert!(errors.max() < Some(48));
    }
    for (frames, shown) in frames.windows(2).zip(shown.windows(2)) {
        for place in 0..frames[0].pixels().len() {
            if frames[0].pixels()[place] == frames[1].pixels()[place] {
                assert_eq!(shown[0].pixels()[place], shown[1].pixels()[place]);
            }
        }
    }
    // The mean of a pattern is the colour that it stands for: blocks of four by four pixels agree closely.
    let mean = |canvas: &Canvas| {
        let block = (0..16).map(|index| pixel(canvas, 80 + index % 4, 48 + index / 4));
        block.fold([0_u32; 3], |sum, pixel| [0, 1, 2].map(|channel| sum[channel] + u32::from(pixel[channel])))
    };
    for (wanted, got) in mean(&frames[0]).into_iter().zip(mean(&shown[0])) {
        assert!(wanted.abs_diff(got) < 16 * 3, "{wanted} {got}");
    }
}

#[test]
fn gif_files_keep_the_speed_of_the_animation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.gif");
    // Frames per second, number of frames, and the hundredths of a second that they take.
    for (rate, count, total) in [(30.0, 30, 100), (60.0, 60, 100), (24.0, 12, 50), (240.0, 48, 20), (1.0, 2, 200)] {
        let frames: Vec<Canvas> = (0..count).map(|frame| flat(4, 4, frame)).collect();
        write_gif(&path, &frames, rate, true).unwrap();
        let (shown, delays, _) = read_gif(&path);
        assert!(delays.iter().all(|&delay| delay >= 2));
        assert!(delays.iter().sum::<u16>().abs_diff(total) <= 2, "{rate}: {delays:?}");
        assert_eq!(shown[0], frames[0]);
        assert!(rate > 50.0 || shown == frames);
    }
}

#[test]
fn frames_without_a_change_only_lengthen_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.gif");
    let frames = [0, 0, 0, 1, 1].map(|frame| flat(6, 4, frame));
    write_gif(&path, &frames, 10.0, true).unwrap();
    let (shown, delays, _) = read_gif(&path);
    assert_eq!(delays, [30, 20]);
    assert!(shown == [frames[0].clone(), frames[3].clone()]);
}

#[test]
fn wrong_animations_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.gif");
    assert!(write_gif(&path, &[] as &[Canvas], 10.0, true).is_err());
    assert!(write_gif(&path, &[Canvas::new(0, 3)], 10.0, true).is_err());
    assert!(write_gif(&path, &[Canvas::new(2, 3), Canvas::new(3, 2)], 10.0, true).is_err());
    assert!(write_gif(&path, &[Canvas::new(70_000, 1)], 10.0, true).is_err());
    for rate in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(write_gif(&path, &[Canvas::new(2, 3)], rate, true).is_err());
    }
}

#[test]
fn animated_png_files_keep_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.apng");
    let frames: Vec<Canvas> = (0..4).map(|seed| noise(7, 5, seed)).collect();
    let mut writer = ApngWriter::create(&path, [7, 5], 4, [1, 25]).unwrap();
    assert!(writer.push(&Canvas::new(5, 7)).is_err());
    for frame in &frames {
        writer.push(frame).unwrap();
    }
    assert!(writer.push(&frames[0]).is_err(), "one too many");
    writer.finish().unwrap();
    let mut reader = png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
    for frame in &frames {
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        assert_eq!(bytes, frame.as_bytes());
    }
    assert!(ApngWriter::create(&path, [7, 5], 0, [1, 25]).is_err());
    assert!(ApngWriter::create(&path, [0, 5], 3, [1, 25]).is_err());
    let mut short = ApngWriter::create(&path, [7, 5], 2, [1, 25]).unwrap();
    short.push(&frames[0]).unwrap();
    assert!(short.finish().is_err(), "a frame is missing");
}

/// Pixels of any colour and any alpha.
fn noise(width: u32, height: u32, seed: u64) -> Canvas {
    let mut random = Random(seed);
    let mut canvas = Canvas::new(width, height);
    for pixel in canvas.pixels_mut() {
        *pixel = [0; 4].map(|_: u8| (random.unit() * 256.0) as u8);
    }
    canvas
}

/// A picture of few colours, which differ from frame to frame.
fn flat(width: u32, height: u32, frame: u8) -> Canvas {
    let mut canvas = Canvas::new(width, height);
    for (place, pixel) in canvas.pixels_mut().iter_mut().enumerate() {
        *pixel = [frame * 4, if place % 3 == usize::from(frame % 3) { 200 } else { 30 }, 90, 255];
    }
    canvas
}

fn gradient(width: u32, height: u32) -> Canvas {
    let mut canvas = Canvas::new(width, height);
    for y in 0..height {
        for x in 0..width {
            let pixel = [40 + x, 200 - x - y, 90 + 2 * y, 255].map(|value| value as u8);
            canvas.pixels_mut()[(y * width + x) as usize] = pixel;
        }
    }
    canvas
}

/// What a viewer shows after each frame, the delays, and how often it repeats.
fn read_gif(path: &Path) -> (Vec<Canvas>, Vec<u16>, gif::Repeat) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(BufReader::new(File::open(path).unwrap())).unwrap();
    let mut screen = Canvas::new(decoder.width().into(), decoder.height().into());
    let (mut shown, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (index, &pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (index % usize::from(frame.width), index / usize::from(frame.width));
            if pixel[3] == 255 {
                let place = (y + usize::from(frame.top)) * screen.width() as usize + x + usize::from(frame.left);
                screen.pixels_mut()[place] = pixel;
            }
        }
        shown.push(screen.clone());
        delays.push(frame.delay);
    }
    (shown, delays, decoder.repeat())
}
